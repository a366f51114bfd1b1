import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take long for their size, the longest first. In a fresh clone Vitest knows only sizes and starts the largest
 * file first: a small one that takes a minute would begin last, and one worker would wait for the other.
 */
const LONG = [
  'apps/server/test/crash/crash.test.ts',
  'apps/server/test/capabilities/capabilities.test.ts',
  'apps/server/src/replays/replays.routes.test.ts',
  'apps/server/src/issues/issues.routes.test.ts',
  'apps/server/src/storage/telemetry/damage.test.ts',
  'apps/server/src/storage/conformance/blobs.test.ts',
  'apps/server/src/replays/keeping/keeping.test.ts',
  'apps/server/src/ingest/digest/digest-handle.test.ts',
  'e2e/console/replay.test.ts',
  'e2e/console/stream.test.ts',
  'e2e/console/settings.test.ts',
  'e2e/console/issue.test.ts',
  'e2e/console/replays.test.ts',
  'e2e/console/accessibility/performance.test.ts',
  'e2e/console/feedback.test.ts',
  'e2e/engines/engines.test.ts',
  'e2e/console/replay-pixels.test.ts',
  'e2e/console/loading.test.ts',
  'e2e/console/accessibility/settings.test.ts',
  'e2e/console/widths.test.ts',
  'e2e/console/navigation.test.ts',
  'e2e/console/accessibility/issues.test.ts',
  'e2e/feedback/inbox-api.test.ts',
  'e2e/demo.test.ts',
  'e2e/replays/repro.test.ts',
  'e2e/replays/recorder.test.ts',
  'e2e/console/accessibility/opened.test.ts',
  'e2e/console/accessibility/reports.test.ts',
  'e2e/console/manifests.test.ts',
  'e2e/console/own-reporting.test.ts',
  'e2e/console/first-start.test.ts',
  'e2e/widget/statements.test.ts',
  'e2e/faults/crash.test.ts',
  'e2e/console/outage.test.ts',
  'e2e/faults/hostile.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONG.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'))
      return found === -1 ? LONG.length : found
    }
    // Projects stay together, and the sort is stable: all others keep the order that they have.
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((ofOne) => ofOne.toSorted((one, other) => place(one) - place(other)))
  }
}
