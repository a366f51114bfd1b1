import { webcrypto } from 'node:crypto'
import { messageOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Outgoing, OutgoingAnswer } from '../../lib/outgoing.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { ThreadEnded } from '../asked-thread.ts'
import { STYLE_SHEET, type AssetFailure, type FetchedAsset, type WaitingAsset } from '../asset.ts'
import { NO_ASSETS, type AssetSettings } from '../ledger/asset-settings.ts'
import type { ReplayAssets } from '../ledger/replay-assets.ts'
import { LIMITS } from '../limits.ts'
import { allowing } from '../../lib/allowed-hosts.ts'
import { isWorthRetrying } from './asset-failure.ts'
import { assetType, textOf } from './asset-type.ts'
import type { SheetReading } from './sheet-reading.ts'

export interface FetchingParts {
  readonly assets: Pick<
    ReplayAssets,
    'due' | 'attempt' | 'takeBack' | 'spend' | 'countBytes' | 'noteUnderWay' | 'keep' | 'fail'
  >
  /** Of these projects, as they are now. */
  readonly settings: (projectIds: readonly number[]) => Promise<ReadonlyMap<number, AssetSettings>>
  readonly blobs: Pick<BlobStore, 'put'>
  readonly outgoing: Pick<Outgoing, 'get'>
  readonly sheets: Pick<SheetReading, 'read'>
  readonly logger: Logger
  /** The server ends: nothing more is begun. */
  readonly ending: AbortSignal
}

type Allows = (url: URL) => boolean

/** One of each list before the second of any. */
const taking = <Value>(lists: readonly (readonly Value[])[]): readonly Value[] => {
  const turns = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

/** One of each organisation before the second of any, however many projects it has, and of its projects likewise. */
export const inTurns = <Asset extends Pick<WaitingAsset, 'organizationId' | 'projectId'>>(
  due: readonly Asset[],
): readonly Asset[] => {
  const own = [...Map.groupBy(due, ({ organizationId }) => organizationId).values()]
  return taking(own.map((assets) => taking([...Map.groupBy(assets, ({ projectId }) => projectId).values()])))
}

/** Comes when a signal fires. */
const tooSlow = (signal: AbortSignal): Promise<Result<OutgoingAnswer, AssetFailure>> =>
  new Promise((resolve) => {
    const stop = (): void => resolve(err('too_slow'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

/** What a page names is asked for once, without anything that says who asks or for whom. */
const createAsking = ({ assets, ending, outgoing }: FetchingParts) => {
  return async (asset: WaitingAsset, allows: Allows): Promise<Result<OutgoingAnswer, AssetFailure>> => {
    const { projectId, url } = asset
    if (!(await assets.spend(asset))) return err('day_full')
    let bytes = 0
    const over = AbortSignal.any([ending, AbortSignal.timeout(LIMITS.REPLAY_ASSET_FETCH_MS)])
    const asked = outgoing.get(url, {
      timeoutMs: LIMITS.REPLAY_ASSET_FETCH_MS,
      maxBytes: LIMITS.REPLAY_ASSET_BYTES,
      maxRedirects: LIMITS.REPLAY_ASSET_REDIRECTS,
      headers: { accept: `image/avif,image/webp,image/*,font/*,${STYLE_SHEET};q=0.9,*/*;q=0.1` },
      allows,
      signal: over,
      received: (more) => {
        bytes += more
      },
    })
    // A request that hangs all the same must not keep others waiting, nor the server from its end.
    const answer = await Promise.race([asked, tooSlow(over)])
    // What came counts, whatever became of it; and nothing else does.
    if (bytes > 0) await assets.countBytes(projectId, bytes)
    if (!answer.ok) return answer
    return answer.value.status === 200 ? answer : err(`http_${answer.value.status}` as const)
  }
}

interface Taken extends Omit<FetchedAsset, 'key' | 'bytes'> {
  readonly content: Uint8Array
}

/** What of an answer is kept. */
const createTaking =
  ({ sheets }: FetchingParts) =>
  async ({ bytes, headers, url }: OutgoingAnswer, allows: Allows): Promise<Result<Taken, AssetFailure>> => {
    const type = assetType(headers['content-type'] ?? '', bytes)
    if (type === null) return err('wrong_type')
    if (type !== STYLE_SHEET) return ok({ content: bytes, type, imports: [], parts: [], leftOut: 0 })
    try {
      const read = await sheets.read({ text: textOf(bytes) ?? '', url, most: LIMITS.REPLAY_ASSETS_PER_SHEET })
      const isAllowed = (address: string): boolean => allows(new URL(address))
      const imports = read.imports.filter((one) => isAllowed(one.url))
      const parts = [...imports.map((one) => one.url), ...read.addresses.filter(isAllowed)]
      const beyond = parts.splice(LIMITS.REPLAY_ASSETS_PER_SHEET).length + read.leftOut.filter(isAllowed).length
      return ok({ content: read.bytes, type, imports, parts, leftOut: beyond })
    } catch (error) {
      if (error instanceof ThreadEnded && error.why === 'beyond') return err('unreadable_sheet')
      throw error
    }
  }

/** Fetches what pages of replays name, soon after they came, where their project allows it. */
export const createAssetFetching = (parts: FetchingParts): (() => Promise<void>) => {
  const { assets, blobs, ending, logger, settings } = parts
  const ask = createAsking(parts)
  const take = createTaking(parts)

  const keep = async (asset: WaitingAsset, { content, ...taken }: Taken): Promise<void> => {
    const { organizationId } = asset
    const hash = await webcrypto.subtle.digest('SHA-256', content)
    const key = `${organizationId}/${Buffer.from(hash).toString('hex')}`
    const bytes = content.byteLength
    await assets.noteUnderWay({ key, organizationId, bytes })
    await blobs.put([{ organizationId, bytes: content }])
    await assets.keep(asset, { ...taken, key, bytes })
  }

  /** What is worth another attempt waits for it already. */
  const fail = async (asset: WaitingAsset, failure: AssetFailure): Promise<void> => {
    if (isWorthRetrying(failure) && asset.attempts + 1 < LIMITS.REPLAY_ASSET_ATTEMPTS) return
    await assets.fail(asset, failure)
  }

  const fetchOne = async (asset: WaitingAsset, { hosts, isOn }: AssetSettings): Promise<void> => {
    if (!isOn) return assets.fail(asset, 'switched_off')
    // None of its attempts came to an end.
    if (asset.attempts >= LIMITS.REPLAY_ASSET_ATTEMPTS) return assets.fail(asset, 'failed')
    await assets.attempt(asset)
    try {
      const allows = allowing(hosts)
      const answer = await ask(asset, allows)
      // It is asked for again after the next start.
      if (ending.aborted) return await assets.takeBack(asset)
      const taken = answer.ok ? await take(answer.value, allows) : answer
      return taken.ok ? await keep(asset, taken.value) : await fail(asset, taken.error)
    } catch (error) {
      const { id, projectId } = asset
      logger.warn('something of a replay could not be fetched and kept', { id, projectId, error: messageOf(error) })
      return fail(asset, 'failed')
    }
  }

  return async () => {
    while (!ending.aborted) {
      const due = inTurns(await assets.due())
      if (due.length === 0) return
      const chosen = await settings([...new Set(due.map(({ projectId }) => projectId))])
      const waiting = due.values()
      const work = async (): Promise<void> => {
        for (const asset of waiting) {
          if (ending.aborted) return
          await fetchOne(asset, chosen.get(asset.projectId) ?? NO_ASSETS)
        }
      }
      await Promise.all(Array.from({ length: LIMITS.REPLAY_ASSETS_AT_ONCE }, work))
    }
  }
}
