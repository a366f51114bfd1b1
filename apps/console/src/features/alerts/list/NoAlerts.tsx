import { BellIcon, ButtonLink, EmptyState, NoMatch } from '../../../ui/index.ts'
import { TEMPLATES } from '../model/templates.ts'
import { TemplateList } from './TemplateList.tsx'

/** No rule matches, or there is none: what one would do, and where to begin. */
export function NoAlerts({
  org,
  isNarrowed,
  mayWrite,
  onClear,
}: {
  readonly org: string
  readonly isNarrowed: boolean
  readonly mayWrite: boolean
  readonly onClear: () => void
}) {
  if (isNarrowed)
    return (
      <NoMatch title="No alert matches" onClear={onClear}>
        Its name or its search would have to contain these words, and it would have to watch one of the chosen projects.
      </NoMatch>
    )
  const usual = TEMPLATES[0]
  return (
    <>
      <EmptyState
        icon={BellIcon}
        title="Nobody is told of anything"
        action={
          mayWrite && usual !== undefined ? (
            <ButtonLink
              variant="primary"
              to="/organizations/$org/alerts/new"
              params={{ org }}
              search={{ template: usual.id }}
            >
              Begin with the usual alert
            </ButtonLink>
          ) : undefined
        }
      >
        An alert is a search that speaks: it says when something new is found, when there is more of it than there
        should be, or when nothing comes any more. Before you save one it shows what it would have said in the last 14
        days.
        {mayWrite ? null : ' Somebody who may change issues can add the first.'}
      </EmptyState>
      {mayWrite ? <TemplateList org={org} /> : null}
    </>
  )
}
