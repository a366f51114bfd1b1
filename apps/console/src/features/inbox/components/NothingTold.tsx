import { Button, ButtonLink, EmptyState, InboxIcon, NoMatch, OkIcon } from '../../../ui/index.ts'
import type { InboxWork } from '../inbox-work.ts'

/** An empty list says why: all is done, nothing sleeps, or the search is too narrow. */
export function NothingTold({ work }: { readonly work: InboxWork }) {
  const { narrow, org, search } = work
  if (search.query !== '') {
    return (
      <NoMatch title="No line matches" onClear={() => narrow({ query: '' })}>
        The words must stand in the line’s title.
      </NoMatch>
    )
  }
  if (search.show === 'unread') {
    return (
      <EmptyState
        icon={OkIcon}
        title="Nothing waits for you"
        action={<Button onClick={() => narrow({ show: 'all' })}>Show what I have read</Button>}
      >
        What is assigned to you, asks you or concerns you comes here by itself.
      </EmptyState>
    )
  }
  if (search.show === 'all') {
    return (
      <EmptyState
        icon={InboxIcon}
        title="Your inbox is empty"
        action={
          <ButtonLink to="/organizations/$org/settings/notifications" params={{ org }}>
            Choose what reaches you
          </ButtonLink>
        }
      >
        Issues that are assigned to you, notes that name you, answers and alerts come here.
      </EmptyState>
    )
  }
  return search.show === 'snoozed' ? (
    <EmptyState compact icon={OkIcon} title="Nothing sleeps">
      Press h on a line to hear of it later: until a release is live, until it gets worse, until somebody answers.
    </EmptyState>
  ) : (
    <EmptyState compact icon={OkIcon} title="Nothing is done yet">
      Press e on a line when you are done with it. It stays here for 30 days.
    </EmptyState>
  )
}
