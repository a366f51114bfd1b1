import { defineConfig } from 'vitest/config'
import { fileReporter } from './tools/harness/file-reporter.ts'
import { LongestFirst } from './tools/harness/longest-first.ts'

/** Set by `npm test`, which shows less and reads the report afterwards. */
const reportPath = process.env['FIRSTHAND_TEST_REPORT']

/**
 * These give the page that they run in a clock, listeners and globals of its own, and the programs under test keep what they
 * began there: each file has a process for itself.
 */
const pageTests = ['browser', 'feedback', 'react', 'replay'].map((name) => `packages/${name}/src/**/*.test.ts`)

const faults = [
  'e2e/faults/**/*.test.ts',
  'e2e/cli/**/*.test.ts',
  'e2e/security/**/*.test.ts',
  'e2e/console/outage.test.ts',
]

/** The library's default is one second, which a busy machine may need for anything. It ends early when it holds. */
const patient = { poll: { timeout: 60_000, interval: 20 } }

const plainTests = { testTimeout: 120_000, hookTimeout: 120_000, expect: patient }

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
          ...plainTests,
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'apps/*/test/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: pageTests,
          globalSetup: ['tools/harness/temporary-folder.ts'],
          // Half of what a file took was a new process that loaded the same modules; stores are started once for a worker.
          isolate: false,
        },
      },
      { test: { ...plainTests, name: 'pages', include: pageTests } },
      {
        test: {
          ...browserTests,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: faults,
          // The files of a worker share its server and its browser.
          isolate: false,
        },
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
