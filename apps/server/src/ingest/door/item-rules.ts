/** What the door looks at in an item, before it is accepted. Types without a rule have the limit `ITEM_BYTES`. */
export interface ItemRule {
  /** How large it may be; `ITEM_BYTES` without it. */
  readonly bytes?: number
  /** How many of them one envelope may hold. */
  readonly perEnvelope?: number
  /**
   * Small JSON is read at the door, so that whoever sends broken one is told. `refuse`: the envelope is worth nothing
   * without it. `drop`: the rest of the envelope lives. Without it only the digest reads it: some are megabytes.
   */
  readonly json?: 'refuse' | 'drop'
  /** There is little in each, and they say what is missing: they may still come when a byte quota is used up. */
  readonly isSmall?: true
  /** What is in it is kept uncompressed: a byte quota is charged with all of it, however little came over the wire. */
  readonly isKeptPlain?: true
  /** Reading it may take long for its size: what holds it is digested apart from the rest, where projects take turns. */
  readonly isHeavy?: true
  /** Its sender shows people what went wrong: a domain that is not allowed is refused (403), not only counted. */
  readonly tellsPeople?: true
}

/** By item type. */
export type ItemRules = ReadonlyMap<string, ItemRule>
