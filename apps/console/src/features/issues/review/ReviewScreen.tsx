import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import {
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  lazyPart,
  OkIcon,
  PageBody,
  PageHeader,
  SkeletonRows,
  useShortcut,
  VisuallyHidden,
} from '../../../ui/index.ts'
import { AssigneePickerAt } from '../components/AssigneePicker.tsx'
import { ARCHIVE, RESOLVE } from '../components/StatusMenus.tsx'
import { ReviewCard } from './ReviewCard.tsx'
import { KEEP, type ReviewWork, SNOOZE, useReview } from './review-work.ts'
import styles from './ReviewScreen.module.css'

const group = 'Review'

/** The queue of what asks for a look: one issue at a time, by single keys. */
export function ReviewScreen() {
  usePageTitle('Review')
  const { org } = useParams({ from: '/signed-in/organizations/$org/review' })
  return <Review key={org} work={useReview(org)} />
}

function Review({ work }: { readonly work: ReviewWork }) {
  const { count, current, error, org, place, retry, said, state } = work
  return (
    <>
      <PageHeader title="Review">
        {current === null ? null : (
          <span className={styles.count}>
            {place} of {count}
          </span>
        )}
      </PageHeader>
      <PageBody>
        <div className={styles.screen}>
          <VisuallyHidden>
            <span role="status">{said}</span>
          </VisuallyHidden>
          {state === 'loading' ? <SkeletonRows rows={8} label="Loading what waits" /> : null}
          {state === 'failed' && error !== null ? (
            <ErrorState title="What waits could not be loaded" {...describeError(error)} onRetry={retry} />
          ) : null}
          {state === 'ready' && current === null ? (
            <EmptyState
              icon={OkIcon}
              title="Nothing waits for a look"
              action={
                <ButtonLink to="/organizations/$org/issues" params={{ org }}>
                  All unresolved issues
                </ButtonLink>
              }
            >
              Issues come here when they are new, come back after they were resolved, or escalate.
            </EmptyState>
          ) : null}
          {current === null ? null : <Current work={work} />}
          {work.telling === null ? null : <Telling work={work} telling={work.telling} />}
        </div>
      </PageBody>
    </>
  )
}

// Most issues have nobody who wrote; what asks who of them is told is fetched for those that do.
const ResolveDialog = lazyPart(async () => (await import('../../people/resolve/index.ts')).ResolveDialog)

function Telling({
  work,
  telling: { choice, issue },
}: {
  readonly work: ReviewWork
  readonly telling: NonNullable<ReviewWork['telling']>
}) {
  return (
    <ResolveDialog
      key={`${issue.id} ${choice === null ? 'edit' : 'resolve'}`}
      org={work.org}
      issue={issue}
      choice={choice}
      onResolve={(chosen, description) => work.resolve(issue, chosen, description)}
      onClose={work.stopTelling}
    />
  )
}

function Current({ work }: { readonly work: ReviewWork }) {
  const { assign, choose, current, go, hasNext, hasPrevious, mayWrite, org } = work
  const navigate = useNavigate()
  const assignButton = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<Element | null>(null)
  const open = (): void => {
    if (current !== null) void navigate({ to: '/organizations/$org/issues/$issue', params: { org, issue: current.id } })
  }
  useShortcut('e', () => mayWrite && choose(RESOLVE), { label: 'Resolve', group })
  useShortcut('i', () => mayWrite && choose(ARCHIVE), { label: 'Archive until it escalates', group })
  useShortcut('s', () => mayWrite && choose(SNOOZE), { label: 'Snooze for a day', group })
  useShortcut('r', () => mayWrite && choose(KEEP), { label: 'Keep open: it was looked at', group })
  useShortcut('a', () => mayWrite && setAnchor(assignButton.current), { label: 'Assign', group })
  useShortcut('j', () => go(1), { label: 'Next', group })
  useShortcut('k', () => go(-1), { label: 'Previous', group })
  useShortcut('o', open, { label: 'Open', group })
  if (current === null) return null
  return (
    <>
      <ReviewCard org={org} issue={current} />
      <div className={styles.actions} role="group" aria-label={`What to do with ${current.shortId}`}>
        {mayWrite ? (
          <>
            <Button variant="primary" kbd="e" onClick={() => choose(RESOLVE)}>
              Resolve
            </Button>
            <Button kbd="i" onClick={() => choose(ARCHIVE)}>
              Archive
            </Button>
            <Button kbd="s" onClick={() => choose(SNOOZE)}>
              Snooze a day
            </Button>
            <Button kbd="r" onClick={() => choose(KEEP)}>
              Keep open
            </Button>
            <Button ref={assignButton} kbd="a" onClick={(event) => setAnchor(event.currentTarget)}>
              {current.assignedTo === null ? 'Assign' : `Assigned to ${current.assignedTo.name}`}
            </Button>
          </>
        ) : null}
        <span className={styles.moves}>
          <Button variant="ghost" kbd="k" disabled={!hasPrevious} onClick={() => go(-1)}>
            Previous
          </Button>
          <Button variant="ghost" kbd="j" disabled={!hasNext} onClick={() => go(1)}>
            Next
          </Button>
        </span>
      </div>
      <AssigneePickerAt
        org={org}
        assignedTo={current.assignedTo}
        anchor={anchor}
        inBulkBar={false}
        onClose={() => setAnchor(null)}
        onAssign={(change, name) => {
          setAnchor(null)
          assign(change, name)
        }}
      />
    </>
  )
}
