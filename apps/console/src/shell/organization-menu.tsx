import type { Session } from '@firsthand/contract'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Menu, MenuItem, MenuRadioGroup, MenuRadioItem, MenuSeparator, VisuallyHidden } from '../ui/index.ts'
import { initials } from '../lib/format.ts'
import { homeOf, useFeatures } from './feature.ts'
import styles from './organization-menu.module.css'

/** The organisation at the head of the side bar; opens the others, and what features add. */
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
  const features = useFeatures()
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
        onValueChange={(next) => void navigate({ to: homeOf(features).page.path, params: { org: next } })}
      >
        {session.organizations.map((organization) => (
          <MenuRadioItem key={organization.id} value={organization.slug}>
            {organization.name}
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
      <MenuSeparator />
      {features
        .flatMap(({ menus }) => menus?.organization ?? [])
        .map(({ page, label, icon }) => (
          <MenuItem key={page.path} icon={icon} onSelect={() => void navigate({ to: page.path, params: { org } })}>
            {label}
          </MenuItem>
        ))}
    </Menu>
  )
}
