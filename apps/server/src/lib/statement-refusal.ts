/**
 * Why a statement of a caller was not finished, told to them as 503:
 * `slow`: a read took longer than it may; `busy`: too many wait before it; `lost`: its thread ended; `unchanged`: a change
 * took longer than it may, or too many wait before it; `preparing`: other replays are cut, drawn or made into tests before
 * the one that is asked for.
 */
export type StatementRefusalReason = 'slow' | 'busy' | 'lost' | 'unchanged' | 'preparing'

export class StatementRefusal extends Error {
  override readonly name = 'StatementRefusal'
  readonly reason: StatementRefusalReason

  constructor(reason: StatementRefusalReason, cause?: unknown) {
    super(`A statement was refused: ${reason}`, { cause })
    this.reason = reason
  }
}
