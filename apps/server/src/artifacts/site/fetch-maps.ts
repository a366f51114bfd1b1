import { createHash } from 'node:crypto'
import { allowing } from '../../lib/allowed-hosts.ts'
import type { Clock } from '../../lib/clock.ts'
import { stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Outgoing, OutgoingAnswer } from '../../lib/outgoing.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { aboutBytes } from '../about-file.ts'
import { keepFiles } from '../keep-files.ts'
import type { Bundles } from '../ledger/bundles.ts'
import { keepFetched } from '../ledger/fetched-bundles.ts'
import type { SiteFile, SiteFiles } from '../ledger/site-files.ts'
import type { SiteSettings } from '../ledger/site-settings.ts'
import { LIMITS } from '../limits.ts'
import { createHostBudget } from './host-budget.ts'
import type { SiteFailure } from './site-failure.ts'

export interface SiteFetchingParts {
  readonly ledger: Ledger
  readonly files: SiteFiles
  /** Of a project, as they are now. */
  readonly settings: (projectId: number) => Promise<SiteSettings>
  readonly bundles: Pick<Bundles, 'keptBytes'>
  readonly blobs: Pick<BlobStore, 'put'>
  readonly outgoing: Pick<Outgoing, 'get'>
  readonly clock: Clock
  readonly logger: Logger
  /** Called when a project has files that it had not. */
  readonly finished: (organizationId: number, projectId: number) => Promise<void>
  /** The server ends: nothing more is begun. */
  readonly ending: AbortSignal
}

/** The host was asked often enough for now: it is asked later. */
const LATER = 'later'

interface Fetched {
  readonly code: Uint8Array
  readonly map: Uint8Array
  readonly mapUrl: string
  readonly debugId: string | null
}

type Ask = (url: string, allows: (url: URL) => boolean) => Promise<Result<OutgoingAnswer, SiteFailure | typeof LATER>>

/** Without anything that says who asks or for whom: no cookies, no names. */
const createAsk = ({ clock, ending, outgoing }: SiteFetchingParts): Ask => {
  const mayAsk = createHostBudget(clock)
  return async (url, allows) => {
    if (!URL.canParse(url)) return err('no_web_address')
    if (!mayAsk(new URL(url).host)) return err(LATER)
    const answer = await outgoing.get(url, {
      timeoutMs: LIMITS.SITE_FETCH_MS,
      maxBytes: LIMITS.SITE_FILE_BYTES,
      maxRedirects: LIMITS.SITE_REDIRECTS,
      allows,
      signal: ending,
    })
    if (!answer.ok) return answer
    return answer.value.status === 200 ? answer : err(`http_${answer.value.status}` as const)
  }
}

/** The file, and then the map that it names, which may be anywhere: it is judged as the file was. */
const fetchBoth = async (
  ask: Ask,
  { address, debug_id: wantedId }: SiteFile,
  allows: (url: URL) => boolean,
): Promise<Result<Fetched, SiteFailure | typeof LATER>> => {
  const code = await ask(address, allows)
  if (!code.ok) return code
  const { bytes, headers, url } = code.value
  const own = aboutBytes('minified_source', bytes)
  if (wantedId !== null && own.debugId !== null && own.debugId !== wantedId) return err('another_build')
  const reference = headers['sourcemap'] ?? headers['x-sourcemap'] ?? own.sourceMap
  if (reference === null) return err('no_reference')
  if (!URL.canParse(reference, url)) return err('no_web_address')
  const mapUrl = new URL(reference, url)
  mapUrl.hash = ''
  if (mapUrl.href.length > LIMITS.SITE_ADDRESS_CHARACTERS) return err('no_web_address')
  const map = await ask(mapUrl.href, allows)
  if (!map.ok) return map
  if (!/^\uFEFF?\s*(?:\{|\)\]\})/.test(Buffer.from(map.value.bytes.subarray(0, 64)).toString('utf8')))
    return err('no_map')
  const debugId = own.debugId ?? aboutBytes('source_map', map.value.bytes).debugId
  return ok({ code: bytes, map: map.value.bytes, mapUrl: mapUrl.href, debugId })
}

const keep = async (parts: SiteFetchingParts, file: SiteFile, fetched: Fetched): Promise<void> => {
  const { clock, ledger } = parts
  const { address, dist, organization_id: organizationId, project_id: projectId, release_version: release } = file
  const { code, debugId: debug_id, map, mapUrl } = fetched
  const files = await keepFiles(parts, organizationId, [
    {
      content: new Uint8Array(code),
      about: { kind: 'minified_source', type: 'minified_source', url: address, source_map: mapUrl, debug_id },
    },
    {
      content: new Uint8Array(map),
      about: { kind: 'source_map', type: 'source_map', url: mapUrl, source_map: null, debug_id },
    },
  ])
  const checksum = createHash('sha1')
    .update(JSON.stringify([projectId, address, ...files.map(({ sha1, url }) => [url, sha1])]))
    .digest('hex')
  await keepFetched(ledger, { organizationId, checksum, release, dist }, { files, now: clock.now(), projectId })
}

/** Asks sites for the source maps of files that events wanted, a few of each project in a turn. */
export const createSiteFetching = (parts: SiteFetchingParts): (() => Promise<void>) => {
  const { bundles, clock, ending, files, finished, logger, settings } = parts
  const ask = createAsk(parts)

  const fetchOne = async (file: SiteFile): Promise<void> => {
    const { hosts, isOn } = await settings(file.project_id)
    if (!isOn) return files.drop(file)
    const hasRoom = (await bundles.keptBytes(file.organization_id)) < LIMITS.ARTIFACTS_KEPT_BYTES
    const fetched = hasRoom ? await fetchBoth(ask, file, allowing(hosts)) : err('no_room' as const)
    if (ending.aborted || (!fetched.ok && fetched.error === LATER)) return
    if (!fetched.ok) return files.ended(file, fetched.error, clock.now())
    await keep(parts, file, fetched.value)
    await files.ended(file, null, clock.now())
    await finished(file.organization_id, file.project_id)
  }

  return async () => {
    await files.forget(clock.now())
    const waiting = (await files.waiting()).values()
    const work = async (): Promise<void> => {
      for (const file of waiting) {
        if (ending.aborted) return
        try {
          await fetchOne(file)
        } catch (error) {
          logger.warn('artifacts: a site could not be asked for a source map', {
            project: file.project_id,
            error: stackOf(error),
          })
        }
      }
    }
    await Promise.all(Array.from({ length: LIMITS.SITE_FILES_AT_ONCE }, work))
  }
}
