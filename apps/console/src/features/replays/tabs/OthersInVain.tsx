import { useQuery } from '@tanstack/react-query'

import { formatCount } from '../../../lib/format.ts'
import { Link } from '../../../ui/index.ts'
import { elementPage } from '../list/element-page.ts'
import { replaysOf } from '../model/list-search.ts'
import type { Vain } from '../model/rows.ts'
import { clickedInVainQuery, OTHERS_MAX, OTHERS_PERIOD } from '../queries.ts'
import styles from './FollowList.module.css'

const SCOPE = { ...replaysOf({}), statsPeriod: OTHERS_PERIOD }

/** In how many other replays the same element was clicked in vain, and where they are. Nothing where it is the only one. */
export function OthersInVain({
  org,
  project,
  vain: { by, element },
}: {
  readonly org: string
  readonly project: string
  readonly vain: Vain
}) {
  const page = elementPage(SCOPE, { dom_element: element, project_id: project }, by)
  // An element without a name is no other one's.
  const { data: replays = 0 } = useQuery({
    ...clickedInVainQuery(org, project, page.query ?? ''),
    enabled: element !== '',
  })
  const others = replays - 1
  if (element === '' || others < 1) return null
  const count = replays > OTHERS_MAX ? `More than ${formatCount(OTHERS_MAX - 1)} others` : countOf(others)
  return (
    <p className={styles.more}>
      <Link to="/organizations/$org/replays" params={{ org }} search={page}>
        {count} clicked here in {by === 'count_rage_clicks' ? 'anger' : 'vain'}
      </Link>
    </p>
  )
}

const countOf = (others: number): string => (others === 1 ? 'One other' : `${formatCount(others)} others`)
