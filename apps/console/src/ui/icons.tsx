import type { JSX, ReactNode } from 'react'

/** Props of every icon. An icon is decoration: the control around it carries the name. */
export interface IconProps {
  /** Edge in pixels, 16 by default. */
  readonly size?: number
  readonly className?: string | undefined
}

/** An icon as a value, for menus and navigation. */
export type Icon = (props: IconProps) => JSX.Element

function icon(children: ReactNode): Icon {
  return function DrawnIcon({ size = 16, className }) {
    return (
      <svg
        className={className}
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {children}
      </svg>
    )
  }
}

export const IssuesIcon = icon(<path d="M2.5 4h11M2.5 8h11M2.5 12h7" />)
export const InboxIcon = icon(
  <path d="M2.5 9.500V12.500a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V9.500M2.5 9.500 4.300 3.500h7.400l1.800 6M2.5 9.500h3.200l.8 1.700h3l.8-1.700h3.200" />,
)
export const ReceiptIcon = icon(<path d="M3.5 2.5h9v11.2l-1.8-1-1.4 1L8 12.7l-1.3 1-1.4-1-1.8 1zM6 5.8h4M6 8.6h4" />)
export const SpeechIcon = icon(<path d="M2.5 3h11v7.800H7.500L4.800 13.300v-2.500H2.500z" />)
export const SettingsIcon = icon(
  <>
    <path d="M2.5 5h5.2M11.3 5h2.2M2.5 11h2.2M8.3 11h5.2" />
    <circle cx="9.5" cy="5" r="1.7" />
    <circle cx="6.5" cy="11" r="1.7" />
  </>,
)
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.2" />
    <path d="m10.2 10.2 3.3 3.3" />
  </>,
)
export const CheckIcon = icon(<path d="m3.2 8.4 3.2 3.2 6.4-7" />)
export const MinusIcon = icon(<path d="M3.5 8h9" />)
export const FileIcon = icon(<path d="M4 1.900h5l3 3v9.200H4zM9 1.900v3h3" />)
export const StarIcon = icon(
  <path d="m8 2.200 1.800 3.700 4 .6-2.900 2.800.7 4L8 11.400l-3.600 1.900.7-4-2.900-2.800 4-.600z" />,
)
export const BookmarkIcon = icon(<path d="M4.200 2.400h7.600v11.200L8 10.700l-3.800 2.900z" />)
export const BellIcon = icon(
  <path d="M4.200 7a3.800 3.800 0 0 1 7.600 0c0 3.300 1.500 4.300 1.500 4.300H2.700S4.200 10.300 4.200 7zM6.700 13.500a1.500 1.500 0 0 0 2.600 0" />,
)
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />)
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />)
export const ChevronDownIcon = icon(<path d="m4.5 6.2 3.5 3.6 3.5-3.6" />)
export const ChevronUpIcon = icon(<path d="m4.5 9.8 3.5-3.6 3.5 3.6" />)
export const ChevronLeftIcon = icon(<path d="M9.8 4.5 6.2 8l3.6 3.5" />)
export const ChevronRightIcon = icon(<path d="M6.2 4.5 9.8 8l-3.6 3.5" />)
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </>,
)
export const TrashIcon = icon(<path d="M2.8 4.3h10.4M6.2 4.3V2.8h3.6v1.5M4.2 4.3l.6 9h6.4l.6-9M6.8 6.8v4M9.2 6.8v4" />)
export const EditIcon = icon(<path d="m3 13 .6-2.9 7.2-7.2 2.3 2.3-7.2 7.2zM9.4 4.3l2.3 2.3" />)
export const UserIcon = icon(
  <>
    <circle cx="8" cy="5.4" r="2.7" />
    <path d="M3 13.4c.6-2.4 2.5-3.7 5-3.7s4.4 1.3 5 3.7" />
  </>,
)
export const UsersIcon = icon(
  <>
    <circle cx="6" cy="5.6" r="2.5" />
    <path d="M1.7 13c.5-2.2 2.1-3.4 4.3-3.400s3.8 1.2 4.3 3.400M10.3 3.300a2.5 2.5 0 0 1 0 4.600M12 9.900c1.2.5 2 1.6 2.3 3.1" />
  </>,
)
export const KeyIcon = icon(
  <>
    <circle cx="5" cy="11" r="2.5" />
    <path d="m6.8 9.2 6.2-6.200M10.6 5.400l2 2M12.2 3.8 13.5 5" />
  </>,
)
export const SunIcon = icon(
  <>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.500v1.200M8 13.300v1.200M1.5 8h1.200M13.3 8h1.200M3.4 3.400l.8.8M11.8 11.800l.8.8M12.6 3.400l-.8.8M4.2 11.800l-.8.8" />
  </>,
)
export const MoonIcon = icon(<path d="M13.3 9.600A5.6 5.6 0 0 1 6.4 2.700a5.6 5.6 0 1 0 6.9 6.900z" />)
export const SystemIcon = icon(
  <>
    <rect x="2" y="3" width="12" height="8" rx="1.2" />
    <path d="M5.5 13.500h5" />
  </>,
)
export const LogOutIcon = icon(
  <path d="M6.5 2.800h-3a1 1 0 0 0-1 1v8.400a1 1 0 0 0 1 1h3M6.5 8h7M10.8 5.2 13.5 8l-2.7 2.8" />,
)
export const FilterIcon = icon(<path d="M2.5 3.500h11L9.3 8.700v4L6.7 11.400V8.700z" />)
export const WarningIcon = icon(<path d="M8 2.6 14 13H2zM8 6.600v3M8 11.300v.1" />)
export const InfoIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M8 7.400v3.400M8 5.200v.1" />
  </>,
)
export const ErrorIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M8 5v3.400M8 10.800v.1" />
  </>,
)
export const OkIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="m5.4 8.2 1.8 1.8 3.4-3.7" />
  </>,
)
export const MoreIcon = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth={2} />)
export const RefreshIcon = icon(<path d="M13.3 8A5.3 5.3 0 1 1 11.7 4.200l1.6 1.500M13.3 2.700v3h-3" />)
export const EyeIcon = icon(
  <>
    <path d="M1.7 8S4 3.8 8 3.8 14.3 8 14.3 8 12 12.2 8 12.2 1.7 8 1.7 8z" />
    <circle cx="8" cy="8" r="1.9" />
  </>,
)
export const EyeOffIcon = icon(
  <path d="M2.5 2.500l11 11M6.3 4c.5-.1 1.1-.2 1.7-.2 4 0 6.3 4.2 6.3 4.200a11 11 0 0 1-1.7 2.100M4 5.300A10.6 10.6 0 0 0 1.7 8S4 12.2 8 12.200c1 0 1.9-.3 2.7-.7" />,
)
export const ProjectIcon = icon(<path d="M8 1.9 13.3 5v6L8 14.1 2.7 11V5z" />)
export const OrganizationIcon = icon(
  <path d="M3 13.500v-11h6v11M9 6h4v7.500M1.5 13.500h13M5.2 5.200h1.600M5.2 8h1.600M5.2 10.800h1.6" />,
)
export const ShieldIcon = icon(<path d="M8 1.9 13 3.700v4c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.400v-4z" />)
export const GaugeIcon = icon(<path d="M3.200 12.500a6 6 0 1 1 9.600 0M8 9.500l2.500-3.300M8 9.600v.1" />)
export const ChartIcon = icon(<path d="M2.500 2.500v11h11M5 10.500l2.700-3.300 2.200 1.800 3.300-4.500" />)
export const LinesIcon = icon(<path d="M2.500 3.500h8M2.500 6.500h11M2.500 9.500h6M2.500 12.500h9" />)
export const TracesIcon = icon(<path d="M2.500 3.500h6M5.500 6.500h6M5.500 9.500h4M8.500 12.500h5" />)
export const ReplayIcon = icon(<path d="M4.500 3v10l8-5z" />)
export const ClockIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 5v3.2l2.200 1.400" />
  </>,
)
