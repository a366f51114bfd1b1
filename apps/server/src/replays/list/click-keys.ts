import { clickKinds } from '../replay-rules.ts'

/** Keys of searches that ask for what was clicked and tapped, with what they are in `replay_marks`. */

/** Clicks that a selector is compared with. */
export const KINDS_OF_SELECTORS: ReadonlyMap<string, string> = new Map([
  ['click.selector', clickKinds('any')],
  ['dead.selector', clickKinds('dead')],
  ['rage.selector', clickKinds('rage')],
])

/** What is known of a click. */
export const CLICKED: ReadonlyMap<string, string> = new Map([
  ['click.alt', 'replay_marks.alt'],
  ['click.class', 'arrayJoin(replay_marks.classes)'],
  ['click.id', 'replay_marks.element_id'],
  ['click.label', 'replay_marks.aria_label'],
  ['click.role', 'replay_marks.role'],
  ['click.tag', 'replay_marks.tag'],
  ['click.testid', 'replay_marks.testid'],
  ['click.textContent', 'replay_marks.text'],
  ['click.title', 'replay_marks.title'],
  ['click.component_name', 'replay_marks.component'],
])

/** What is known of a tap on a phone, which names no element of a page. */
export const TAPPED: ReadonlyMap<string, string> = new Map([
  ['tap.message', "if(replay_marks.tag = '', replay_marks.text, '')"],
  ['tap.view_id', "replay_marks.detail['viewId']"],
  ['tap.view_class', "replay_marks.detail['viewClass']"],
])

/** No other key begins so: what does is misspelt, and no tag. */
export const OF_ELEMENTS = /^(?:click|dead|rage|tap)\./

const KEYS_OF_CLICKS = [...CLICKED.keys(), ...KINDS_OF_SELECTORS.keys()]

export const refuseForReplays = (name: string): string =>
  `Replays are not searched by "${name}". Of what was clicked and tapped they are by ${[...KEYS_OF_CLICKS, ...TAPPED.keys()].join(', ')}.`

export const refuseForClicks = (name: string): string =>
  `Clicks are not searched by "${name}". Use one of: ${KEYS_OF_CLICKS.join(', ')}.`

export const refuseSelector = (name: string): string =>
  `"${name}" takes one simple CSS selector, e.g. button#buy.large or a[role="tab"].`
