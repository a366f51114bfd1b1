import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../../ui/index.ts'
import { backfillsQuery } from '../backfills-query.ts'
import { backfillLines } from '../model/backfills.ts'
import styles from './Backfills.module.css'

/** How far items are read that were received before the upgrade; nothing when there are none. */
export function Backfills({ org, project }: { readonly org: string; readonly project: string | undefined }) {
  const { data = [] } = useQuery(backfillsQuery(org))
  return backfillLines(data, project).map(({ itemType, state, text }) =>
    state === 'failed' ? (
      <Notice key={itemType} tone="warning">
        {text}
      </Notice>
    ) : (
      <p key={itemType} className={styles.line}>
        {text}
      </p>
    ),
  )
}
