import type { LedgerTransaction } from '../../storage/index.ts'
import { waitOn, type TakenGroup } from '../ledger/groups.ts'
import { untoldEndsAmong } from '../ledger/taken-back.ts'
import { nameUnnamed } from '../ledger/unnamed.ts'
import { LIMITS } from '../limits.ts'

/** What of the lines that are due can be told now, and what else there is to tell. */

/**
 * What is to be told of an incident whose end nobody was told of yet waits on until that is: when the end is taken back, it is
 * told like the rest, and else to nobody.
 */
export const putOffEnded = async (
  transaction: LedgerTransaction,
  groups: readonly TakenGroup[],
): Promise<readonly TakenGroup[]> => {
  const ids = [...new Set(groups.flatMap(({ lines }) => lines.map(({ incidentId }) => incidentId)))]
  const ends = await untoldEndsAmong(transaction, ids)
  if (ends.size === 0) return groups
  const left: TakenGroup[] = []
  for (const group of groups) {
    const lines = group.lines.filter(({ incidentId }) => !ends.has(incidentId))
    const said = new Set(lines.map(({ occasion }) => occasion))
    const waiting = group.lines.filter(({ incidentId, occasion }) => ends.has(incidentId) && !said.has(occasion))
    if (waiting.length > 0) {
      const until = Math.min(...waiting.map(({ incidentId }) => ends.get(incidentId) ?? Infinity))
      await waitOn(transaction, group.id, waiting, until)
    }
    left.push({ ...group, lines })
  }
  return left
}

/** There was no room to name these, and by now there is: what was named may be over, or may not be told. */
export const withUnnamed = async (
  transaction: LedgerTransaction,
  groups: readonly TakenGroup[],
  isSaidIn: (group: TakenGroup) => (line: TakenGroup['lines'][number]) => boolean,
): Promise<readonly TakenGroup[]> => {
  const all: TakenGroup[] = []
  for (const group of groups) {
    const said = group.lines.filter(isSaidIn(group)).length
    const room = Math.min(group.unnamed, LIMITS.ALERT_GATHERED_NAMED - said)
    const taken = [...all, ...groups].flatMap(({ lines, receiver }) => (receiver === group.receiver ? lines : []))
    const named = room > 0 ? await nameUnnamed(transaction, group, taken, room) : []
    // Where nothing else is told, it is these alone: the rest is over.
    const unnamed = said === 0 && named.length < room ? 0 : group.unnamed - named.length
    all.push({ ...group, lines: [...group.lines, ...named], unnamed })
  }
  return all
}
