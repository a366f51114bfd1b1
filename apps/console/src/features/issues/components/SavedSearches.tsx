import type { SavedSearch } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import {
  BookmarkIcon,
  EditIcon,
  IconButton,
  Menu,
  MenuGroup,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  PlusIcon,
  RefreshIcon,
  TrashIcon,
  VisibleText,
  lazyPart,
  toast,
  useChanges,
  useShortcut,
} from '../../../ui/index.ts'
import { changeSearch, forgetSearch, keepSearch, keptOf, savedAs, savedSearchesQuery } from '../saved-searches.ts'
import type { StreamWork } from '../stream-work.ts'
import styles from './SavedSearches.module.css'

const SavedSearchDialog = lazyPart(() => import('./SavedSearchDialog.tsx').then((module) => module.SavedSearchDialog))

/** The searches that are kept under a name: one's own, and those that all share. */
export function SavedSearches({ work }: { readonly work: StreamWork }) {
  const { change, may, org, search } = work
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [asks, setAsks] = useState(false)
  const { data, error, refetch } = useQuery(savedSearchesQuery(org))
  const saved = data ?? []
  const current = savedAs(saved, search)
  const refresh = () => client.invalidateQueries({ queryKey: savedSearchesQuery(org).queryKey })
  const { during, undo } = useChanges(() => void refresh())
  useShortcut('v', () => setOpen(true), { label: 'Saved searches', group: 'Issues' })

  const remove = async (gone: SavedSearch) => {
    const done = await during('Deleting', () => forgetSearch(org, gone.id).then(() => true))
    const title = `“${gone.name}” deleted`
    if (done !== null) toast({ title, action: undo(title, () => keepSearch(org, keptOf(gone))) })
  }
  const save = async (kept: Parameters<typeof keepSearch>[1]) => {
    if (current === undefined) await keepSearch(org, kept)
    else await changeSearch(org, current.id, kept)
    await refresh()
    setAsks(false)
    if (kept.query !== search.query) change({ query: kept.query })
    toast({ title: current === undefined ? `Saved as “${kept.name}”` : `“${kept.name}” changed`, tone: 'ok' })
  }
  const mayChange = may('event:write') && (current === undefined || isOwn(current) || may('org:write'))
  return (
    <>
      <Menu
        align="end"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <IconButton
            bordered
            icon={BookmarkIcon}
            kbd="v"
            label={current === undefined ? 'Saved searches' : `Saved searches: ${current.name}`}
            className={current === undefined ? undefined : styles.current}
          />
        }
      >
        {error === null ? null : (
          <MenuItem icon={RefreshIcon} hint={describeError(error).detail} onSelect={() => void refetch()}>
            Load the saved searches again
          </MenuItem>
        )}
        <Searches
          label="Yours"
          searches={saved.filter(isOwn)}
          current={current}
          onPick={({ query, sort }) => change({ query, sort })}
        />
        <Searches
          label="Shared with everybody"
          searches={saved.filter((one) => !isOwn(one))}
          current={current}
          onPick={({ query, sort }) => change({ query, sort })}
        />
        {saved.length > 0 && mayChange ? <MenuSeparator /> : null}
        {mayChange ? (
          <MenuGroup label={data?.length === 0 ? 'No search is saved yet' : 'This search'}>
            {current === undefined ? (
              <MenuItem icon={PlusIcon} onSelect={() => setAsks(true)}>
                Save it under a name …
              </MenuItem>
            ) : (
              <>
                <MenuItem icon={EditIcon} onSelect={() => setAsks(true)}>
                  Rename, change or share …
                </MenuItem>
                <MenuItem icon={TrashIcon} danger onSelect={() => void remove(current)}>
                  Delete “<VisibleText text={current.name} />”
                </MenuItem>
              </>
            )}
          </MenuGroup>
        ) : null}
      </Menu>
      {asks ? (
        <SavedSearchDialog
          kept={
            current === undefined
              ? { name: '', query: search.query, sort: search.sort, visibility: 'owner' }
              : keptOf(current)
          }
          isNew={current === undefined}
          mayShare={may('org:write')}
          onSave={save}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </>
  )
}

function isOwn({ visibility }: SavedSearch): boolean {
  return visibility === 'owner'
}

function Searches({
  label,
  searches,
  current,
  onPick,
}: {
  readonly label: string
  readonly searches: readonly SavedSearch[]
  readonly current: SavedSearch | undefined
  readonly onPick: (search: ReturnType<typeof keptOf>) => void
}) {
  if (searches.length === 0) return null
  return (
    <MenuRadioGroup
      label={label}
      value={current?.id ?? ''}
      onValueChange={(id) => {
        const picked = searches.find((search) => search.id === id)
        if (picked !== undefined) onPick(keptOf(picked))
      }}
    >
      {searches.map(({ id, name, query }) => (
        <MenuRadioItem key={id} value={id}>
          <VisibleText text={name} />
          <span className={styles.query}>
            <VisibleText text={query === '' ? 'every issue' : query} />
          </span>
        </MenuRadioItem>
      ))}
    </MenuRadioGroup>
  )
}
