import { writeFileSync } from 'node:fs';

/** Writes to the file that `FIREDUP_RESULT` names what each test file came to, and how many errors no test caught. */
export default class {
  onTestRunEnd(modules, unhandled) {
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      const count = (...states) => tests.filter((state) => states.includes(state)).length;
      const failed = count('failed');
      return {
        name: module.relativeModuleId,
        passed: count('passed'),
        // One that cannot be loaded, or not set up, has no test that could fail.
        failed: failed === 0 && !module.ok() ? 1 : failed,
        left: count('skipped', 'pending'),
      };
    });
    writeFileSync(process.env.FIREDUP_RESULT, JSON.stringify({ files, unhandled: unhandled.length }));
  }
}
