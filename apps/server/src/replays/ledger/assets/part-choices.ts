import { STYLE_SHEET, type WaitingAsset } from '../../asset.ts'
import type { Choice } from './take-up.ts'

/** Which assets that are there already become parts of a style sheet. Pure. */

/**
 * Sheets that import each other would keep each other for ever, and to look for rings would lock the ledger for seconds. So
 * a sheet is a part only of sheets that lie less deep: of one as deep it is fetched anew, one step deeper, and one that lies
 * less deep is no part.
 */
export const importedBy =
  ({ depth }: Pick<WaitingAsset, 'depth'>): Choice =>
  (there) => {
    const [deepest] = there
    if (deepest === undefined || deepest.depth > depth) return deepest
    return there.every((one) => one.depth === depth) ? undefined : null
  }

/** What is no sheet has no parts of its own, so its depth does not matter. */
export const shownBy =
  ({ depth }: Pick<WaitingAsset, 'depth'>): Choice =>
  (there) => {
    const usable = there.filter((one) => one.depth > depth || one.type !== STYLE_SHEET)
    return there.length === 0 ? undefined : (usable.at(-1) ?? null)
  }
