import type { SavedQuery } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  BookmarkIcon,
  Button,
  Checkbox,
  EditIcon,
  Field,
  FormDialog,
  Input,
  Menu,
  MenuGroup,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  PlusIcon,
  RefreshIcon,
  toast,
  TrashIcon,
  useChanges,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import {
  changeQuery,
  forgetQuery,
  keepQuery,
  type Kept,
  savedAs,
  savedQueriesQuery,
  searchOf,
} from '../saved-queries.ts'

interface Props {
  readonly org: string
  readonly search: ExploreSearch
  readonly onOpen: (search: ExploreSearch) => void
}

/** Questions that are kept under a name: one's own, and those that are shared. */
export function SavedQueries({ org, search, onOpen }: Props) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState<SavedQuery | 'new' | null>(null)
  const { data, error, refetch } = useQuery(savedQueriesQuery(org))
  const saved = data ?? []
  const current = savedAs(saved, search)
  const refresh = () => client.invalidateQueries({ queryKey: savedQueriesQuery(org).queryKey })
  const { during, undo } = useChanges(() => void refresh())
  useShortcut('v', () => setOpen(true), { label: 'Saved questions', group: 'Explore' })

  const remove = async (gone: SavedQuery) => {
    const done = await during('Deleting', () => forgetQuery(org, gone.id).then(() => true))
    const title = `“${gone.name}” deleted`
    if (done !== null) toast({ title, action: undo(title, () => keepQuery(org, gone, searchOf(gone))) })
  }
  const save = async (kept: Kept) => {
    if (asked === 'new' || asked === null) await keepQuery(org, kept, search)
    else await changeQuery(org, asked.id, kept, search)
    await refresh()
    setAsked(null)
    toast({ title: `Saved as “${kept.name}”`, tone: 'ok' })
  }
  return (
    <>
      <Menu
        align="end"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button icon={BookmarkIcon} kbd="v">
            {current === undefined ? 'Saved questions' : current.name}
          </Button>
        }
      >
        {error === null ? null : (
          <MenuItem icon={RefreshIcon} hint={describeError(error).detail} onSelect={() => void refetch()}>
            Load the saved questions again
          </MenuItem>
        )}
        <Questions label="Yours" saved={saved.filter(({ isOwn }) => isOwn)} current={current} onOpen={onOpen} />
        <Questions
          label="Shared by others"
          saved={saved.filter(({ isOwn }) => !isOwn)}
          current={current}
          onOpen={onOpen}
        />
        {saved.length > 0 ? <MenuSeparator /> : null}
        <MenuGroup label={data?.length === 0 ? 'No question is saved yet' : 'This question'}>
          {current === undefined ? (
            <MenuItem icon={PlusIcon} onSelect={() => setAsked('new')}>
              Save it under a name …
            </MenuItem>
          ) : (
            <>
              <MenuItem icon={EditIcon} onSelect={() => setAsked(current)}>
                Rename or share …
              </MenuItem>
              <MenuItem icon={TrashIcon} danger onSelect={() => void remove(current)}>
                Delete “<VisibleText text={current.name} />”
              </MenuItem>
            </>
          )}
        </MenuGroup>
      </Menu>
      {asked === null ? null : (
        <SaveDialog
          kept={asked === 'new' ? { name: '', visibility: 'owner' } : asked}
          onSave={save}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function Questions({
  label,
  saved,
  current,
  onOpen,
}: {
  readonly label: string
  readonly saved: readonly SavedQuery[]
  readonly current: SavedQuery | undefined
  readonly onOpen: (search: ExploreSearch) => void
}) {
  if (saved.length === 0) return null
  return (
    <MenuRadioGroup
      label={label}
      value={current?.id ?? ''}
      onValueChange={(id) => {
        const picked = saved.find((one) => one.id === id)
        if (picked !== undefined) onOpen(searchOf(picked))
      }}
    >
      {saved.map(({ id, name }) => (
        <MenuRadioItem key={id} value={id}>
          <VisibleText text={name} />
        </MenuRadioItem>
      ))}
    </MenuRadioGroup>
  )
}

const MAX_NAME = 128

function SaveDialog({
  kept,
  onSave,
  onClose,
}: {
  readonly kept: Kept
  readonly onSave: (kept: Kept) => Promise<void>
  readonly onClose: () => void
}) {
  const form = useForm<Kept>({
    initial: { name: kept.name, visibility: kept.visibility },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Give it a name.' } : {}),
    submit: ({ name, visibility }) => onSave({ name: name.trim(), visibility }),
  })
  const { errors, set, values } = form
  return (
    <FormDialog form={form} title="Save this question" submitLabel="Save question" onClose={onClose}>
      <Field
        label="Name"
        error={errors.name}
        help="All that is chosen is kept with it: functions, groups, search, projects and time."
      >
        <Input value={values.name} maxLength={MAX_NAME} onValueChange={(name) => set('name', name)} />
      </Field>
      <Checkbox
        checked={values.visibility === 'organization'}
        label="For everybody"
        help="All members of the organisation find it in this menu."
        onCheckedChange={(shared) => set('visibility', shared ? 'organization' : 'owner')}
      />
    </FormDialog>
  )
}
