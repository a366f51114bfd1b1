import type { IssueChange } from '@firsthand/contract'
import { formatCount } from '../../../lib/format.ts'

/** What a change says to those who wrote about issues. */

export const isResolving = ({ status }: IssueChange): boolean =>
  status !== undefined && status !== 'unresolved' && status !== 'ignored'

/** When people hear of it: ten minutes later, in which it can be undone, or when the repair is out. */
const whenWords = ({ status, statusDetails }: IssueChange): string =>
  statusDetails?.inNextRelease === true || status === 'resolvedInNextRelease'
    ? 'when the next release is first seen'
    : 'in 10 minutes'

/** `The 4 people who wrote about it are told in 10 minutes, unless the project’s settings say otherwise.` */
export function tellsWords(people: number, change: IssueChange): string {
  return people === 1
    ? `The person who wrote about it is told ${whenWords(change)}, unless the project’s settings say otherwise.`
    : `The ${formatCount(people)} people who wrote about it are told ${whenWords(change)}, unless the project’s settings say otherwise.`
}

/** `Tell the 4 people who wrote, in 10 minutes`: what a tick stands for. */
export function tellLabel(people: number, change: IssueChange): string {
  return `Tell the ${people === 1 ? 'person' : `${formatCount(people)} people`} who wrote, ${whenWords(change)}`
}
