import type { ScreenModel } from '../../../src/core/view-models/screen.js';
import { launchViews } from '../screen-stories.js';
import { dialogViews } from './dialog-views.js';
import { gpuViews } from './gpu-views.js';
import { linkViews } from './link-views.js';
import { overlayViews } from './overlay-views.js';
import { scenarioViews } from './scenario-views.js';
import { wideViews } from './wide-views.js';

/** Every view of the screen by its name. */
const screenStories = {
  ...launchViews,
  ...gpuViews,
  ...linkViews,
  ...dialogViews,
  ...overlayViews,
  ...scenarioViews,
  ...wideViews,
};

export type StoryName = keyof typeof screenStories;

export const storyNames = Object.keys(screenStories) as readonly StoryName[];

export const modelOf = (name: StoryName): ScreenModel => screenStories[name]();
