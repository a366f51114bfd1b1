import type { AlertAction, AlertDraft, AlertDryRun } from '@firsthand/contract'

import { formatCount } from '../../../lib/format.ts'
import {
  Badge,
  BellIcon,
  IconButton,
  Menu,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MoreIcon,
  Panel,
  PlusIcon,
  TrashIcon,
  UsersIcon,
  VisibleText,
} from '../../../ui/index.ts'
import { keyOfAction } from '../model/receivers.ts'
import { type Names, receiverText } from '../model/sentence.ts'
import { ReceiversVariable } from './ListVariables.tsx'
import styles from './ReceiverPanel.module.css'

interface Props {
  readonly org: string
  readonly draft: AlertDraft
  readonly names: Names
  readonly run: AlertDryRun | undefined
  readonly mayWrite: boolean
  readonly onChange: (part: Partial<AlertDraft>) => void
}

/** Who gets it, and how much each of them would have got. */
export function ReceiverPanel({ org, draft, names, run, mayWrite, onChange }: Props) {
  const { actions } = draft
  const change = (place: number, next: AlertAction | null) =>
    onChange({ actions: actions.flatMap((action, at) => (at === place ? (next ?? []) : action)) })
  return (
    <Panel
      title="Who gets it"
      content="rows"
      actions={
        mayWrite ? (
          <ReceiversVariable
            org={org}
            draft={draft}
            names={names}
            onChange={onChange}
            trigger={<IconButton icon={PlusIcon} label="Add a receiver" size="small" />}
          />
        ) : undefined
      }
    >
      {actions.length === 0 ? (
        <p className={styles.none}>
          Nobody yet. What fires is kept and can be looked up here, but it reaches no one until you add a receiver.
        </p>
      ) : (
        <ul>
          {actions.map((action, place) => (
            <Receiver
              key={keyOfAction(action)}
              action={action}
              label={receiverText(action, names)}
              told={run?.receivers[place]}
              mayWrite={mayWrite}
              onChange={(next) => change(place, next)}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

const times = (count: number, word: string): string => `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`

function Receiver({
  action,
  label,
  told,
  mayWrite,
  onChange,
}: {
  readonly action: AlertAction
  readonly label: string
  readonly told: AlertDryRun['receivers'][number] | undefined
  readonly mayWrite: boolean
  readonly onChange: (next: AlertAction | null) => void
}) {
  const Drawn = action.kind === 'channel' ? BellIcon : UsersIcon
  const counts =
    told === undefined
      ? null
      : `${told.channel} · ${times(told.first, 'message')}${told.updates === 0 ? '' : `, ${times(told.updates, 'update')}`}`
  return (
    <li className={styles.receiver}>
      <Drawn className={styles.icon} />
      <div className={styles.about}>
        <span className={styles.name}>
          <VisibleText text={label} />
        </span>
        {counts === null ? null : <span className={styles.counts}>{counts}</span>}
        {told?.note === null || told?.note === undefined ? null : <span className={styles.counts}>{told.note}</span>}
      </div>
      {action.from === 'worse' ? <Badge>only when worse</Badge> : null}
      {mayWrite ? (
        <Menu align="end" trigger={<IconButton icon={MoreIcon} label={`More for ${label}`} size="small" />}>
          <MenuRadioGroup
            label="Is told"
            value={action.from}
            onValueChange={(from: AlertAction['from']) => onChange({ ...action, from })}
          >
            <MenuRadioItem value="fired">When it fires</MenuRadioItem>
            <MenuRadioItem value="worse">Only when it becomes worse</MenuRadioItem>
          </MenuRadioGroup>
          {action.kind === 'people' && action.target === 'owners' ? (
            <>
              <MenuSeparator />
              <MenuRadioGroup
                label="When nobody owns it"
                value={action.fallthrough}
                onValueChange={(fallthrough: typeof action.fallthrough) => onChange({ ...action, fallthrough })}
              >
                <MenuRadioItem value="active">Those who were here last</MenuRadioItem>
                <MenuRadioItem value="all">Everybody of the project</MenuRadioItem>
                <MenuRadioItem value="nobody">Nobody</MenuRadioItem>
              </MenuRadioGroup>
            </>
          ) : null}
          <MenuSeparator />
          <MenuItem icon={TrashIcon} onSelect={() => onChange(null)}>
            Take out
          </MenuItem>
        </Menu>
      ) : null}
    </li>
  )
}
