import type { AlertDraft } from '@firsthand/contract'

/** The rule with which every organisation begins: whoever owns an issue that matters hears of it. */
export const DEFAULT_RULE: AlertDraft = {
  name: 'High priority issues',
  projects: null,
  query: 'issue.priority:high',
  environments: [],
  trigger: {
    source: 'happened',
    kinds: ['issue_opened', 'issue_regressed', 'issue_escalating', 'issue_unarchived', 'issue_priority_raised'],
  },
  conditions: { hours: null, minimumAgeMinutes: 0 },
  actions: [{ kind: 'people', target: 'owners', id: null, fallthrough: 'active', from: 'fired' }],
  frequencyMinutes: 30,
  maxMessagesPerHour: 60,
  owner: null,
  isEnabled: true,
}
