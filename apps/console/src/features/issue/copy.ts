import { toast } from '../../ui/index.ts'
import type { IssueWork } from './issue-work.ts'
import { agentMarkdown } from './model/agent-markdown.ts'

/** Copies the issue and its event as Markdown that a language model can work with. */
export function copyForAgent({ org, issue, event }: IssueWork): void {
  if (event === null) return
  const life = issue.lifetime ?? issue
  const text = agentMarkdown(
    {
      shortId: issue.shortId,
      title: issue.title,
      culprit: issue.culprit,
      status: issue.status,
      level: issue.level,
      priority: issue.priority,
      events: Number(life.count),
      users: life.userCount,
      firstSeen: life.firstSeen,
      lastSeen: life.lastSeen,
      firstRelease: issue.firstRelease?.version ?? '',
      lastRelease: issue.lastRelease?.version ?? '',
      link: new URL(`/organizations/${org}/issues/${issue.id}/`, location.href).href,
    },
    event,
  )
  copy(
    text,
    'Copied as Markdown',
    `About ${Math.ceil(text.length / 4).toLocaleString('en-US')} tokens, ready for a language model`,
  )
}

/** Copies the address of the issue with the event that is on screen. */
export function copyLink({ org, issue, api }: IssueWork): void {
  const event = api === null ? '' : `?event=${api.eventID}`
  copy(new URL(`/organizations/${org}/issues/${issue.id}/${event}`, location.href).href, 'Link copied')
}

/** Copies what people call the issue, "SHOP-4K". */
export function copyShortId({ issue }: IssueWork): void {
  copy(issue.shortId, `${issue.shortId} copied`)
}

function copy(text: string, title: string, description?: string): void {
  // Without a secure context (plain http on a LAN) the clipboard API is missing.
  const done =
    navigator.clipboard === undefined ? Promise.reject(new Error('no clipboard')) : navigator.clipboard.writeText(text)
  void done.then(
    () => toast({ title, tone: 'ok', ...(description === undefined ? {} : { description }) }),
    () =>
      toast({
        title: 'The browser did not allow copying',
        description: 'Open Firsthand over https or on localhost.',
        tone: 'error',
      }),
  )
}
