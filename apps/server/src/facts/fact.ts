/**
 * What a fact of each kind says besides what every fact does: kind → plain JSON, at most `FACT_BYTES` encoded. The
 * capability that writes a kind adds it, as it adds its tables to `LedgerSchema`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- others fill it
export interface FactKinds {}

export type FactKind = keyof FactKinds

/** Something that happened. */
export type Fact<Kind extends FactKind = FactKind> = {
  readonly [Each in Kind]: {
    readonly organizationId: number
    readonly projectId: number | null
    readonly kind: Each
    /** The issue that it is about. */
    readonly issueId: number | null
    /** The report of a visitor that it is about; reports have ids of their own. */
    readonly reportId: number | null
    /** Who did it; null for the machine and for strangers. Nobody is told of what they did themselves. */
    readonly actorId: number | null
    /** When the server received what caused it, milliseconds since the epoch. */
    readonly receivedAt: number
    readonly data: FactKinds[Each]
  }
}[Kind]

export type StoredFact<Kind extends FactKind = FactKind> = Fact<Kind> & {
  /** Rises in the order in which facts became true. */
  readonly id: number
  /** When it was written, milliseconds since the epoch. */
  readonly notedAt: number
}
