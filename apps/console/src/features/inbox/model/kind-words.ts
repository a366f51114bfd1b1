import type { NoticeKind } from '@firsthand/contract'
import {
  BellIcon,
  type Icon,
  InfoIcon,
  LinesIcon,
  OkIcon,
  RefreshIcon,
  SpeechIcon,
  UserIcon,
  UsersIcon,
  WarningIcon,
} from '../../../ui/index.ts'

interface KindWords {
  readonly icon: Icon
  /** What one is told, in the settings. */
  readonly label: string
  readonly help: string
  /** What happened, behind one thing of a line. */
  readonly short: string
}

export const KINDS: Readonly<Record<NoticeKind, KindWords>> = {
  assigned: {
    icon: UserIcon,
    label: 'Assigned to me',
    help: 'Somebody, or a rule, gives me or my team an issue.',
    short: 'assigned',
  },
  mentioned: {
    icon: SpeechIcon,
    label: 'Mentioned',
    help: 'Somebody names me or my team in a note.',
    short: 'asked',
  },
  reply: {
    icon: SpeechIcon,
    label: 'Answers to my replies',
    help: 'Somebody whose report I answered, or have, writes again.',
    short: 'answered',
  },
  owner: { icon: UsersIcon, label: 'Alerts about what I own', help: 'An alert speaks to the owners.', short: 'fired' },
  alert: { icon: BellIcon, label: 'Alerts that name me', help: 'An alert speaks to me or my team.', short: 'fired' },
  regression: {
    icon: RefreshIcon,
    label: 'Came back',
    help: 'An issue that I have or follow comes back after it was resolved.',
    short: 'regressed',
  },
  escalation: {
    icon: WarningIcon,
    label: 'Got worse',
    help: 'An issue that I have or follow escalates, or its priority rises.',
    short: 'worse',
  },
  subscribed: {
    icon: LinesIcon,
    label: 'Issues that I follow',
    help: 'Notes on them, and when they are resolved, archived or reopened.',
    short: 'news',
  },
  feedback: {
    icon: SpeechIcon,
    label: 'New reports',
    help: 'Somebody writes about a project of my teams.',
    short: 'report',
  },
  new: { icon: WarningIcon, label: 'New issues', help: 'Every new issue, whoever it concerns.', short: 'new' },
  'check-in': {
    icon: BellIcon,
    label: 'Check-ins',
    help: 'A job of mine was missed, failed, or is back.',
    short: 'check-in',
  },
  weekly: {
    icon: OkIcon,
    label: 'My week',
    help: 'What is new, got worse, was fixed and was said; Mondays at 9:00.',
    short: 'your week',
  },
  system: {
    icon: InfoIcon,
    label: 'About notifications',
    help: 'Something is wrong with how I am told.',
    short: 'system',
  },
}

/** In the order in which the settings ask for them. */
export const KIND_ORDER = Object.keys(KINDS) as readonly NoticeKind[]
