import { getReplayPicture } from '@firsthand/contract'
import { bind, HttpError, type Route } from '../../http/index.ts'
import { messageOf } from '../../lib/error-text.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { ThreadEnded } from '../asked-thread.ts'
import { findOfOrganization, type Finding, type FoundReplay } from '../find-replay.ts'
import { createTurnsAt } from '../in-turn.ts'
import type { ReplayAssets } from '../ledger/replay-assets.ts'
import { LIMITS } from '../limits.ts'
import type { Packs } from '../playback/packs.ts'
import type { BlobReading } from '../read-blob.ts'
import type { Granted } from '../services.ts'
import { chunksAt, makePicture, segmentsAt, type PictureMaking, type Reach } from './make-picture.ts'
import { EMPTY_PICTURE, PICTURE_POLICY } from './write-picture.ts'

type PictureServices = BlobReading &
  Finding &
  Granted<{ replays: 'segments' }> & {
    readonly assets: Pick<ReplayAssets, 'of'>
    readonly packs: Pick<Packs, 'find'>
    readonly drawing: Pick<PictureMaking, 'ask' | 'leave'>
  }

/** What is shown without being asked for a moment, where something is to be seen: by then a page has mostly loaded. */
const usualMoment = ({ finishedAt, startedAt }: FoundReplay['record']): number =>
  Math.min(finishedAt, startedAt + LIMITS.REPLAY_PICTURE_AFTER_MS)

/** A list does without the picture of one that is damaged or gone, or too much to be drawn now; whoever opens it is told why. */
const isPassedOver = (thrown: unknown): boolean =>
  (thrown instanceof ThreadEnded && thrown.why !== 'stopped') ||
  thrown instanceof StatementRefusal ||
  (thrown instanceof HttpError && thrown.status === 404) ||
  thrown instanceof DamagedBlob

interface Drawn {
  readonly bytes: Uint8Array
  /** Nothing that its pages name is still to be fetched. */
  readonly isWhole: boolean
}

/** Small pages for lists of replays. A replay is not cut into chunks for them. */
export const createPictureRoutes = (services: PictureServices): Route[] => {
  const { assets, blobs, drawing, logger, packs, replays } = services
  const inTurn = createTurnsAt(drawing, {
    waiting: LIMITS.REPLAY_PICTURES_WAITING,
    waitingPerCaller: LIMITS.REPLAY_PICTURES_WAITING_PER_CALLER,
    waitMs: LIMITS.REPLAY_PICTURE_WAIT_MS,
  })

  /** @param asked null for what is shown without being asked for a moment */
  const draw = async ({ record, scope }: FoundReplay, asked: number | null, words: string): Promise<Drawn | null> => {
    const cut = await packs.find([record.projectId], record.replayId)
    const segments = cut === null ? await replays.segments(scope, record) : []
    const own = await assets.of(record)
    const at = asked ?? usualMoment(record)
    const make = async (read: Reach) => {
      const wanted = cut === null ? segmentsAt(segments, read) : chunksAt(cut.pack, read)
      const order = { wanted: wanted ?? [], at, looksFor: read.looksFor, words, assets: own }
      return makePicture({ blobs, logger }, drawing, order)
    }
    let made = await make({ at, looksFor: 0 })
    if (asked === null && made?.isBlank === true) {
      made = (await make({ at: record.startedAt, looksFor: LIMITS.REPLAY_FIRST_SIGHT_MS })) ?? made
    }
    return made === null ? null : { bytes: made.bytes, isWhole: own.every(({ state }) => state !== 'waiting') }
  }

  return [
    bind(getReplayPicture, async ({ params, query, request }) => {
      // In turn from the first question on: the list itself comes before its pictures, and who left it waits for none.
      const picture = await inTurn(async () => {
        if (request.signal.aborted) return null
        const found = await findOfOrganization(services, request.organization.id, params.replay)
        return draw(found, query.at ?? null, query.words ?? '')
      }).catch((thrown: unknown) => {
        if (!isPassedOver(thrown)) throw thrown
        const { replay: replayId } = params
        const { id: organizationId } = request.organization
        logger.info('a page of a replay was not drawn', { organizationId, replayId, error: messageOf(thrown) })
        return null
      })
      return {
        // A frame waits for an answer, and shows whatever it is: of nothing it gets an empty page.
        bytes: picture?.bytes ?? EMPTY_PICTURE,
        compress: true,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': PICTURE_POLICY,
          'x-frame-options': 'SAMEORIGIN',
          'cache-control':
            picture?.isWhole === true ? `private, max-age=${LIMITS.REPLAY_PICTURE_CACHE_SECONDS}` : 'no-store',
        },
      }
    }),
  ]
}
