import type { News } from '../ingest/index.ts'

/** Which releases of a project ran: a release is in the list of releases though it has no errors. */
export interface SessionNews {
  readonly versions: readonly string[]
}

interface Heard {
  readonly sender: { readonly organizationId: number; readonly projectId: number }
  readonly version: string
}

/** One for each project of a batch. */
export const newsOf = (heard: readonly Heard[]): readonly News[] =>
  [...Map.groupBy(heard, ({ sender }) => sender.projectId)].flatMap(([projectId, own]) => {
    const [first] = own
    if (first === undefined) return []
    const data: SessionNews = { versions: [...new Set(own.map(({ version }) => version))] }
    return [{ organizationId: first.sender.organizationId, projectId, data }]
  })
