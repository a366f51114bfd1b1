import type { AlertRule } from '@firsthand/contract'

import {
  BellIcon,
  CopyIcon,
  EditIcon,
  EyeIcon,
  EyeOffIcon,
  IconButton,
  Menu,
  MenuGroup,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  TrashIcon,
} from '../../../ui/index.ts'
import { type AlertChanges, MUTE_USUALLY, MUTES } from '../alert-changes.ts'
import { isMutedNow } from '../model/decisions.ts'

/** What can be done with a rule. */
export function AlertMenu({
  rule,
  now,
  changes,
  onOpen,
  onRemoved,
}: {
  readonly rule: AlertRule
  readonly now: number
  readonly changes: AlertChanges
  /** Opens a rule: this one, or its copy. */
  readonly onOpen: (id: string) => void
  readonly onRemoved?: () => void
}) {
  if (!changes.mayWrite) return null
  const remove = async () => {
    if (await changes.remove(rule)) onRemoved?.()
  }
  return (
    <Menu align="end" trigger={<IconButton icon={MoreIcon} label={`More for “${rule.name}”`} size="small" />}>
      {onRemoved === undefined ? (
        <MenuItem icon={EditIcon} kbd="e" onSelect={() => onOpen(rule.id)}>
          Edit
        </MenuItem>
      ) : null}
      <MenuItem
        icon={CopyIcon}
        kbd="d"
        onSelect={() => void changes.duplicate(rule).then((made) => made !== null && onOpen(made.id))}
      >
        Duplicate
      </MenuItem>
      <MenuItem
        icon={rule.isEnabled ? EyeOffIcon : EyeIcon}
        kbd="s"
        onSelect={() => void changes.enable(rule, !rule.isEnabled)}
      >
        {rule.isEnabled ? 'Switch off' : 'Switch on'}
      </MenuItem>
      <MenuSeparator />
      {isMutedNow(rule, now) ? (
        <MenuItem icon={BellIcon} kbd="m" onSelect={() => void changes.unmute(rule)}>
          Let it speak again
        </MenuItem>
      ) : (
        <MenuGroup label="Mute">
          {MUTES.map(({ minutes, label }) => (
            <MenuItem
              key={label}
              {...(minutes === MUTE_USUALLY && { kbd: 'm' })}
              onSelect={() => void changes.mute(rule, minutes)}
            >
              {label}
            </MenuItem>
          ))}
        </MenuGroup>
      )}
      <MenuSeparator />
      <MenuItem icon={TrashIcon} danger onSelect={() => void remove()}>
        Delete
      </MenuItem>
    </Menu>
  )
}
