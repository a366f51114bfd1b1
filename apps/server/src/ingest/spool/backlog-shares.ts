import { LIMITS } from '../limits.ts'
import type { SpoolPosition } from '../road.ts'
import { comparePositions } from './position.ts'

/** What waits for the digest, by organisation, in pieces that it passes one after the other. */
interface Piece {
  /** All of it lies before. */
  end: SpoolPosition
  bytes: number
  readonly byOrganization: Map<number, number>
}

/**
 * Keeps one organisation from filling the backlog: it may have waiting at most `BACKLOG_SHARE` times what is still free.
 * So the more there are that fill it, the less each may have, and whoever comes anew always finds room. What waited at
 * the start counts for nobody; it only is no longer free.
 */
export class BacklogShares {
  readonly #waiting = new Map<number, number>()
  readonly #pieces: Piece[] = []

  /** A record is on disk. @param end it ends there, or before */
  add(organizationId: number, bytes: number, end: SpoolPosition): void {
    let piece = this.#pieces.at(-1)
    if (piece === undefined || piece.bytes >= LIMITS.BACKLOG_PIECE_BYTES) {
      piece = { end, bytes: 0, byOrganization: new Map() }
      this.#pieces.push(piece)
    }
    piece.end = end
    piece.bytes += bytes
    piece.byOrganization.set(organizationId, (piece.byOrganization.get(organizationId) ?? 0) + bytes)
    this.#waiting.set(organizationId, this.waiting(organizationId) + bytes)
  }

  /** Everything before `position` is digested. */
  settled(position: SpoolPosition): void {
    while (this.#pieces[0] !== undefined && comparePositions(this.#pieces[0].end, position) <= 0) {
      for (const [organizationId, bytes] of this.#pieces.shift()?.byOrganization ?? []) {
        const left = this.waiting(organizationId) - bytes
        if (left > 0) this.#waiting.set(organizationId, left)
        else this.#waiting.delete(organizationId)
      }
    }
  }

  /** Bytes of records and files, to the precision of one piece. */
  waiting(organizationId: number): number {
    return this.#waiting.get(organizationId) ?? 0
  }

  /** @param free bytes of the backlog that nobody has */
  hasRoom(organizationId: number, free: number): boolean {
    return this.waiting(organizationId) <= LIMITS.BACKLOG_SHARE * free
  }
}
