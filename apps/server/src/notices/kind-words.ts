import type { MailKind } from './unsubscribe-token.ts'

/** What mails of a kind are about, after "mail about …". */
export const KIND_WORDS: Readonly<Record<MailKind, string>> = {
  assigned: 'issues that are assigned to you',
  mentioned: 'notes that mention you',
  reply: 'answers of people whose reports you answered',
  owner: 'alerts about what you own',
  alert: 'alerts that name you',
  regression: 'issues of yours that came back',
  escalation: 'issues of yours that got worse',
  subscribed: 'news of issues that you follow',
  feedback: 'new reports',
  new: 'new issues',
  'check-in': 'missed and failed check-ins',
  weekly: 'your week',
  system: 'the state of your notifications',
  digest: 'what is gathered for you',
}
