/**
 * The kit. Base UI dressed once in the tokens of the look; it knows no domain word and no contract type.
 * Usage notes stand at each component; in short:
 *
 * - `Button` (`variant` primary | secondary | ghost | danger, `size` normal | small, `icon`, `kbd`, `busy`),
 *   `ButtonLink` (typed router link that looks like a button), `IconButton` (`icon`, `label` = name and tooltip).
 * - `Link` (typed router link; `look` text | quiet | plain), `ExternalLink` (refuses javascript: and data:),
 *   `LinkTabs` with `LinkTab`s (pages beside one another).
 * - `Input`, `Textarea` (`onValueChange`, `mono`), `Checkbox`, `Switch`, `Select` (`options`, `look` field | bar),
 *   `MultiCombobox`, `Picker` and `MultiPicker` (a button whose list is searched); wrap a control in `Field` (`label`, `help`, `error`), fields in `FieldStack`.
 * - `FilterButton` (opens a picker, says what is chosen with `filterText`), `FilterSheet` (filters on narrow screens).
 * - `Popover` (`trigger`, `label`): a few controls under a button, in force at once.
 * - `Menu` + `MenuItem`, `MenuGroup`, `MenuSeparator`, `MenuRadioGroup` + `MenuRadioItem`.
 * - `Dialog` (`open`, `onOpenChange`, `title`, `footer`, `onSubmit`), `FormDialog` (`form` of `useForm`), `AlertDialog` (`typedConfirmation`).
 * - `Kbd`, `useShortcut(keys, run, { label, group })`, `useCommands(commands)` for the ⌘K palette.
 * - `toast({ title, tone, action: { label: 'Undo', run } })` from anywhere.
 * - `PageHeader`, `PageBody`, `Panel` (`title`, `actions`, `content` rows | padded), `ThingRows` with a `ThingRow` each, `Tabs`, `SegmentedControl`.
 * - `Table`, `Thead`, `Tbody`, `Tr`, `Th` (`numeric`, `sort`), `Td` (`numeric`, `mono`, `quiet`).
 * - `Badge` (`tone`), `LevelDot`, `Avatar`, `Num`, `RelativeTime` (`form` age | ago), `Sparkline`, `TimeSeries`, and `TimeSeriesSkeleton` until it comes.
 * - `FloatBar` + `FloatBarButton` for what can be done with selected rows, `useListKeys` for the keys of their list (`useRowKeys` where rows only lead somewhere),
 *   `useChanges` for changes that are told and undone in a toast.
 * - `VisibleText` draws control characters of text that others wrote as marks.
 * - `Loaded` (a query's answer, or its outline, or why there is none), `ShowMore` (at the end of a list).
 * - `CodeBlock`, `CopyButton`; `Notice` (`tone`); `EmptyState`, `NoMatch`, `ErrorState`, `Outline`, `Skeleton`, `SkeletonRows`, `Spinner`.
 *
 * Tokens (tokens.css): --background --panel --sunk --line --line-strong --line-control (borders of controls) --ink
 * --ink-2 (all secondary text) --ink-3 (decoration only) --accent --accent-soft --on-accent, --fatal/--error/--warning/
 * --info/--ok with `-text` and `-soft`, --chart-bar --selected-row --hit-line --float --on-float (dark bars),
 * --code-keyword/-string/-function/-comment/-number, --font --mono --size --size-small --radius --radius-panel
 * --control (30 px) --row (32 px) --row-stream (56 px) --topbar --motion --ease --shadow --layer-*.
 * A feature's stylesheet is wrapped in `@layer features { … }`.
 */
export { AlertDialog, type AlertDialogProps } from './AlertDialog.tsx'
export { Avatar } from './Avatar.tsx'
export { Badge, type Tone } from './Badge.tsx'
export { Button, ButtonLink, type ButtonProps, type ButtonVariant } from './Button.tsx'
export { Checkbox, type CheckboxProps } from './Checkbox.tsx'
export { CodeBlock, type CodeBlockProps } from './CodeBlock.tsx'
export { CommandPalette, setCommandPalette } from './CommandPalette.tsx'
export { useCommands, useCommandsForOpen, useFinders, type Command, type Finder } from './commands.ts'
export { CopyButton, type CopyButtonProps } from './CopyButton.tsx'
export { Dialog, type DialogProps } from './Dialog.tsx'
export { Field, FieldStack, type FieldProps } from './Field.tsx'
export { FilterButton, FilterSheet, filterText } from './Filters.tsx'
export { FormDialog } from './FormDialog.tsx'
export { FloatBar, FloatBarButton, type FloatBarProps } from './FloatBar.tsx'
export { IconButton, type IconButtonProps } from './IconButton.tsx'
export * from './icons.tsx'
export { Input, Textarea, type InputProps, type TextareaProps } from './Input.tsx'
export { Kbd } from './Kbd.tsx'
export { LevelDot } from './LevelDot.tsx'
export { ExternalLink, Link } from './Link.tsx'
export { LinkTab, LinkTabs } from './LinkTabs.tsx'
export { lazyPart } from './lazy-part.tsx'
export { MailPage } from './MailPage.tsx'
export { useListKeys, useRowKeys } from './list-keys.ts'
export { Loaded } from './Loaded.tsx'
export {
  Menu,
  MenuGroup,
  MenuItem,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  type MenuItemProps,
  type MenuProps,
} from './Menu.tsx'
export { MultiCombobox, type ComboboxOption, type MultiComboboxProps } from './MultiCombobox.tsx'
export { Notice } from './Notice.tsx'
export { Num } from './Num.tsx'
export { PageBody, PageHeader, type PageHeaderProps } from './Page.tsx'
export { Panel, type PanelProps } from './Panel.tsx'
export { ThingRow, ThingRows } from './ThingRow.tsx'
export { MultiPicker, Picker, type MultiPickerProps, type PickerOption, type PickerProps } from './Picker.tsx'
export { Popover, type PopoverProps } from './Popover.tsx'
export { RelativeTime, type RelativeTimeProps } from './RelativeTime.tsx'
export { SegmentedControl, type SegmentedControlProps } from './SegmentedControl.tsx'
export { Select, type SelectOption, type SelectProps } from './Select.tsx'
export { ShortcutHelp } from './ShortcutHelp.tsx'
export { allowSingleKeys, keyLabel, useShortcut, useSingleKeysAllowed, type Shortcut } from './shortcuts.ts'
export { ShowMore } from './ShowMore.tsx'
export { Outline, Skeleton, SkeletonRows } from './Skeleton.tsx'
export { Sparkline, type SparklineProps } from './Sparkline.tsx'
export { Spinner } from './Spinner.tsx'
export { EmptyState, ErrorState, NoMatch, type EmptyStateProps, type ErrorStateProps } from './State.tsx'
export { Switch, type SwitchProps } from './Switch.tsx'
export { Table, Tbody, Td, Th, Thead, Tr, type TableProps, type TdProps, type ThProps } from './Table.tsx'
export { PlainTabs, type TabOption, type TabsProps } from './PlainTabs.tsx'
export { Tabs } from './Tabs.tsx'
export { TimeSeries, type TimeSeriesLine, type TimeSeriesProps, TimeSeriesSkeleton } from './TimeSeries.tsx'
export { toast, type ToastOptions, type ToastTone } from './toast.ts'
export { ToastRegion } from './ToastRegion.tsx'
export { forgetChanges, undoable, undoLast } from './undo.ts'
export { useChanges } from './use-changes.ts'
export { useIsLeaving, useSearchAhead } from './use-is-leaving.ts'
export { AddressText } from './AddressText.tsx'
export { VisibleText } from './VisibleText.tsx'
export { VisuallyHidden } from './VisuallyHidden.tsx'
export { TooltipProvider } from './Tooltip.tsx'
