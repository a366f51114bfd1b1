import { defineConfig } from 'vitest/config'
import { fileReporter } from './tools/harness/file-reporter.ts'
import { LongestFirst } from './tools/harness/longest-first.ts'

/** Set by `npm test`, which shows less and reads the report afterwards. */
const reportPath = process.env['FIRSTHAND_TEST_REPORT']

const faults = [
  'e2e/faults/**/*.test.ts',
  'e2e/cli/**/*.test.ts',
  'e2e/security/**/*.test.ts',
  'e2e/console/outage.test.ts',
]

/** The library's default is one second, which a busy machine may need for anything. It ends early when it holds. */
const patient = { poll: { timeout: 60_000, interval: 20 } }

const browserTests = {
  globalSetup: ['tools/harness/global-setup.ts'],
  setupFiles: ['e2e/lib/say-pages.ts'],
  testTimeout: 400_000,
  hookTimeout: 400_000,
  expect: patient,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'apps/*/test/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: patient,
        },
      },
      {
        test: {
          ...browserTests,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/widget/**', ...faults],
          // The files of a worker share its server and its browser.
          isolate: false,
        },
      },
      {
        test: { ...browserTests, name: 'widget', include: ['e2e/widget/**/*.test.ts'], isolate: false },
      },
      {
        // Kills, full disks, clocks, damage and starts, each on servers, folders and ports of its own.
        test: { ...browserTests, name: 'faults', include: faults },
      },
    ],
    reporters: reportPath === undefined ? ['default'] : [fileReporter(reportPath)],
    // One more than the two processors that the run is meant for: browsers and servers wait for each other half of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
})
