import { SkeletonRows } from '../../../ui/index.ts'

/** The shape of lines that are coming. */
export function InboxOutline() {
  return <SkeletonRows rows={8} rowHeight={57} label="Loading the inbox" />
}
