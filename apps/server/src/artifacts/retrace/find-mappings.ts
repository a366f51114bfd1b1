import type { DebugFileLookup, FoundDebugFile, WantedDebugFile } from '../debug-files/ledger/debug-file-view.ts'
import type { HeldMappings } from './held-mappings.ts'
import { NO_MAPPING, type FoundMapping } from './retrace-event.ts'

const none = (reason: string): FoundMapping => ({ kind: 'none', type: NO_MAPPING, reason })

/** Mappings that were asked for already, by project and id; null for none. */
export type AskedMappings = Map<string, FoundDebugFile | null>

const keyOf = ({ debugId, projectId }: WantedDebugFile): string => `${projectId} ${debugId}`

/** Asks for those that were not asked for yet, of all projects at once. */
export const askForMappings = async (
  lookup: Pick<DebugFileLookup, 'mappings'>,
  wanted: readonly WantedDebugFile[],
  asked: AskedMappings,
): Promise<void> => {
  const missing = new Map(wanted.map((one) => [keyOf(one), one]))
  for (const key of asked.keys()) missing.delete(key)
  if (missing.size === 0) return
  const files = new Map((await lookup.mappings([...missing.values()])).map((file) => [keyOf(file), file]))
  for (const key of missing.keys()) asked.set(key, files.get(key) ?? null)
}

/** The mappings of these ids that were uploaded to a project, and why there are none of the others. */
export const findMappings = async (
  { held, lookup }: { readonly lookup: Pick<DebugFileLookup, 'mappings'>; readonly held: Pick<HeldMappings, 'open'> },
  projectId: number,
  ids: readonly string[],
  asked: AskedMappings,
): Promise<ReadonlyMap<string, FoundMapping>> => {
  const wanted = ids.map((debugId) => ({ projectId, debugId }))
  await askForMappings(lookup, wanted, asked)
  const found = new Map<string, FoundMapping>()
  for (const one of wanted) {
    const { debugId: id } = one
    const file = asked.get(keyOf(one)) ?? null
    if (file === null) {
      found.set(id, none('No mapping of ProGuard or R8 with this uuid was uploaded to this project.'))
      continue
    }
    const open = await held.open({ key: file.indexKey, bytes: file.indexBytes })
    found.set(
      id,
      open === null
        ? none(`The mapping with the uuid ${id} is here, and cannot be read. Delete it and upload it again.`)
        : { kind: 'mapping', open, id },
    )
  }
  return found
}
