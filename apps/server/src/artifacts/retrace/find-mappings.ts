import type { DebugFileLookup } from '../debug-files/ledger/debug-file-view.ts'
import type { HeldMappings } from './held-mappings.ts'
import { NO_MAPPING, type FoundMapping } from './retrace-event.ts'

const none = (reason: string): FoundMapping => ({ kind: 'none', type: NO_MAPPING, reason })

/** The mappings of these ids that were uploaded to a project, and why there are none of the others. */
export const findMappings = async (
  { held, lookup }: { readonly lookup: Pick<DebugFileLookup, 'byDebugIds'>; readonly held: Pick<HeldMappings, 'open'> },
  projectId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundMapping>> => {
  const found = new Map<string, FoundMapping>()
  if (ids.length === 0) return found
  const files = await lookup.byDebugIds(projectId, ids)
  for (const id of ids) {
    const file = files.find(({ debug_id: own, kind }) => kind === 'proguard' && own === id)
    const { blob_key: text = null, index_key: index = null } = file ?? {}
    if (text === null || index === null) {
      found.set(id, none('No mapping of ProGuard or R8 with this uuid was uploaded to this project.'))
      continue
    }
    const open = await held.open({ text, index })
    found.set(
      id,
      open === null
        ? none(`The mapping with the uuid ${id} is here, and cannot be read. Upload it again.`)
        : { kind: 'mapping', open, id },
    )
  }
  return found
}
