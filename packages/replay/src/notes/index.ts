import type { Client } from '@firsthand/browser'
import type { Settings } from '../options.ts'
import type { Recorder } from '../recorder.ts'
import { watchBreadcrumbs } from './breadcrumbs.ts'
import { watchNetwork } from './network.ts'
import { watchVisitor } from './page.ts'
import { watchPerformance } from './performance.ts'
import { createNotes } from './sink.ts'

/** Everything that is noted beside the picture, in the shapes that servers and players of Sentry know. */
export const watchNotes = (client: Client, recorder: Recorder, settings: Settings): (() => void) => {
  const note = createNotes(recorder.add, settings)
  const network = watchNetwork(settings, note)
  const undo = [
    watchVisitor(recorder, settings, note),
    watchBreadcrumbs(client, note, network.take),
    watchPerformance(recorder, note),
    recorder.onFlush(network.renew),
    network.stop,
  ]
  return () => undo.forEach((one) => one())
}
