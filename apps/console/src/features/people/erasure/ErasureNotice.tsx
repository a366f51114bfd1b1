import { useQuery, useQueryClient } from '@tanstack/react-query'

import { formatExact } from '../../../lib/format.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { Button, Notice, RelativeTime, toast, useChanges } from '../../../ui/index.ts'
import { countWords, failureWords, openErasure } from '../model/erasure-words.ts'
import { personKey } from '../query-keys.ts'
import { erasuresQuery, takeBack } from './queries.ts'
import styles from './ErasureNotice.module.css'

/** Says on the page of a person that all that is kept of them is about to go, and takes it back. */
export function ErasureNotice({ org, names }: { readonly org: string; readonly names: readonly string[] }) {
  const client = useQueryClient()
  const { data = [] } = useQuery(erasuresQuery(org))
  const mayTakeBack = useAccess(org)('project:admin')
  const { busy, during } = useChanges(() => void client.invalidateQueries({ queryKey: personKey(org) }))
  const erasure = openErasure(data, names)
  if (erasure === undefined) return null
  const { id, state, user, dateDue, counts, failure } = erasure
  const undo = async (): Promise<void> => {
    if ((await during('Undoing', () => takeBack(org, id))) !== null) toast({ title: 'This deletion was taken back' })
  }
  return (
    <div className={styles.notice}>
      <Notice tone="warning">
        <div className={styles.line}>
          {state === 'planned' ? (
            <span>
              Everything under {erasure.names.map(plainVisible).join(', ')} is deleted at{' '}
              <time dateTime={dateDue}>{formatExact(Date.parse(dateDue))}</time>
              {user === null ? '' : `, as ${plainVisible(user.name || user.email)} asked`}.
            </span>
          ) : (
            <span role="status">
              Everything under {erasure.names.map(plainVisible).join(', ')} is being deleted. So far{' '}
              {countWords(counts)}.
              {failure === null ? null : (
                <>
                  {' '}
                  {failureWords(failure)} <RelativeTime time={failure.dateRetry} form="until" />.
                </>
              )}
            </span>
          )}
          {state === 'planned' && mayTakeBack ? (
            <Button size="small" busy={busy} onClick={() => void undo()}>
              Undo
            </Button>
          ) : null}
        </div>
      </Notice>
    </div>
  )
}
