import type { ProfileSummary } from '@firsthand/contract'

/**
 * What a profile is called in a list: its transaction. One that was taken continuously has many or none, and is told apart by
 * its threads and the time.
 */
export const nameOf = ({
  id,
  profilerId,
  threads,
  transaction,
}: Pick<ProfileSummary, 'id' | 'profilerId' | 'threads' | 'transaction'>): string => {
  if (transaction !== '') return transaction
  if (profilerId === '') return `Profile ${id.slice(0, 8)}`
  const [only] = threads
  if (only === undefined) return 'Continuous profile'
  return `Continuous profile, ${threads.length === 1 ? `thread ${only}` : `${threads.length} threads`}`
}
