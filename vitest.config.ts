import { defineConfig } from 'vitest/config'

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
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/widget/**'],
          globalSetup: ['tools/harness/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Servers, crashes and full disks: one at a time.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'widget',
          include: ['e2e/widget/**/*.test.ts'],
          globalSetup: ['tools/harness/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
    maxWorkers: 2,
  },
})
