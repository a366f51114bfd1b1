import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useState } from 'react'
import { EmptyState, Input, SearchIcon } from '../../../ui/index.ts'
import { PLATFORMS, type Platform } from '../model/platforms.ts'
import styles from './PlatformPicker.module.css'

/** Tiles by kind, found by typing; arrow keys move. */
export function PlatformPicker({
  value,
  onValueChange,
}: {
  readonly value: string
  readonly onValueChange: (id: string) => void
}) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = PLATFORMS.filter(
    (platform) => platform.name.toLowerCase().includes(wanted) || platform.id.includes(wanted),
  )
  return (
    <div className={styles.picker}>
      <Input
        icon={SearchIcon}
        placeholder="Search platforms"
        aria-label="Search platforms"
        className={styles.search}
        value={search}
        onValueChange={setSearch}
      />
      {shown.length === 0 ? (
        <EmptyState compact title={`No platform matches “${search}”`}>
          Any Sentry SDK works: clear the search and choose “Something else”.
        </EmptyState>
      ) : (
        <RadioGroup
          aria-label="Platform"
          value={value}
          onValueChange={(next) => onValueChange(next)}
          className={styles.groups}
        >
          {[...Map.groupBy(shown, (platform) => platform.group)].map(([group, platforms]) => (
            <section key={group} aria-label={group}>
              <h3 className={styles.group}>{group}</h3>
              <div className={styles.tiles}>
                {platforms.map((platform) => (
                  <Radio.Root key={platform.id} value={platform.id} className={styles.tile}>
                    <PlatformMark platform={platform} />
                    {platform.name}
                  </Radio.Root>
                ))}
              </div>
            </section>
          ))}
        </RadioGroup>
      )}
    </div>
  )
}

/** Two letters in a square. */
export function PlatformMark({ platform }: { readonly platform: Platform }) {
  return (
    <span className={styles.mark} aria-hidden="true">
      {platform.mark}
    </span>
  )
}
