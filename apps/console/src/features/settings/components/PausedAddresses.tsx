import { allowMailToMember } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { Button, Notice, RelativeTime, toast, useChanges, VisibleText } from '../../../ui/index.ts'
import { pausedAddressesQuery } from '../../inbox/queries.ts'
import styles from './settings.module.css'

/** Members who get no mail, because their mail servers refused it. Nothing stands here while all get theirs. */
export function PausedAddresses({ org, mayWrite }: { readonly org: string; readonly mayWrite: boolean }) {
  const client = useQueryClient()
  const query = pausedAddressesQuery(org)
  const { data = [] } = useQuery(query)
  const { busy, during } = useChanges(() => void client.invalidateQueries({ queryKey: query.queryKey }))
  const allow = async (member: string, email: string): Promise<void> => {
    const work = () => api.call(allowMailToMember, { params: { org, member } }).then(() => true)
    if ((await during('The change', work)) !== null) toast({ title: `Mail goes to ${email} again`, tone: 'ok' })
  }
  return data.map(({ memberId, email, since, reason }) => (
    <Notice key={memberId} tone="warning">
      <div className={styles.paused}>
        <p>
          No mail goes to {email}: <RelativeTime time={since} /> its mail server refused one (“
          <VisibleText text={reason} />
          ”).
        </p>
        {mayWrite ? (
          <Button size="small" busy={busy} onClick={() => void allow(memberId, email)}>
            It works again
          </Button>
        ) : null}
      </div>
    </Notice>
  ))
}
