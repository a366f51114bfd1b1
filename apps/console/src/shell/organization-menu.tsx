import type { Session } from '@firsthand/contract'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import {
  Menu,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  SettingsIcon,
  UsersIcon,
  VisuallyHidden,
} from '../ui/index.ts'
import { initials } from '../lib/format.ts'
import styles from './organization-menu.module.css'

/** The organisation at the head of the side bar; opens the others and its settings. */
export function OrganizationMenu({
  org,
  session,
  container,
}: {
  readonly org: string
  readonly session: Session
  readonly container: RefObject<HTMLElement | null>
}) {
  const navigate = useNavigate()
  const name = session.organizations.find((membership) => membership.slug === org)?.name ?? org
  return (
    <Menu
      container={container}
      trigger={
        <button type="button" className={styles.trigger} title={name}>
          <VisuallyHidden>Organisation</VisuallyHidden>
          <span className={styles.mark} aria-hidden="true">
            {initials(name).slice(0, 1)}
          </span>
          <span className={styles.name}>{name}</span>
        </button>
      }
    >
      <MenuRadioGroup
        label="Organisations"
        value={org}
        onValueChange={(next) => void navigate({ to: '/organizations/$org/issues', params: { org: next } })}
      >
        {session.organizations.map((organization) => (
          <MenuRadioItem key={organization.id} value={organization.slug}>
            {organization.name}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
      <MenuSeparator />
      <MenuItem
        icon={SettingsIcon}
        onSelect={() => void navigate({ to: '/organizations/$org/settings/organization', params: { org } })}
      >
        Organisation settings
      </MenuItem>
      <MenuItem
        icon={UsersIcon}
        onSelect={() => void navigate({ to: '/organizations/$org/settings/members', params: { org } })}
      >
        Members
      </MenuItem>
    </Menu>
  )
}
