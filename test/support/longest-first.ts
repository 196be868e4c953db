import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Without times of an earlier run, vitest begins with the files that have the most text. These are short and wait long
 * (dead-man switches, cut links): begun last, they would go on alone when all others have ended.
 */
const longWaits = ['test/soak/short.test.ts', 'test/remote/alive.test.ts', 'test/host/mux-script.test.ts'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification): boolean =>
      longWaits.some((path) => moduleId.endsWith(path));
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
