/** Every command of Sentry's programs that speaks to a server, and those that work on the files which they send. */

/** What is there for one program to work on. */
export interface World {
  readonly organization: string
  readonly release: string
  readonly files: Readonly<
    Record<
      'build' | 'bundle' | 'sourceMap' | 'event' | 'envelope' | 'mappings' | 'proguard' | 'pictures' | 'java',
      string
    >
  >
  readonly issue: { readonly id: string; readonly shortId: string; readonly eventId: string }
  readonly trace: string
  readonly token: string
}

export interface Row {
  /** Of a token that has no more; `DSN`: it needs none. */
  readonly needs: 'DSN' | 'no server' | 'org:ci' | 'reading' | 'writing' | 'releasing'
  /** Of `sentry-cli`; those of the newest version, or of the older one, where they differ. */
  readonly cli?: (world: World) => readonly string[]
  readonly only?: '2.58.6' | '3.8.0'
  /** Of `sentry`. */
  readonly sentry?: (world: World) => readonly string[]
  /** What it ends with, when it is not 0: that of the program that it runs. */
  readonly ends?: number
  /** A part of what it prints. */
  readonly shows?: string
}

export const SCOPES: Readonly<Record<Exclude<Row['needs'], 'DSN' | 'no server'>, readonly string[]>> = {
  'org:ci': ['org:ci'],
  reading: ['org:read', 'project:read', 'team:read', 'event:read'],
  writing: ['org:read', 'project:read', 'event:read', 'event:write'],
  releasing: ['org:read', 'project:read', 'project:releases', 'event:read'],
}

/** Both programs have the same words for it. */
const gradle = ({ files: { bundle }, release }: World): readonly string[] => [
  'react-native',
  'gradle',
  '--bundle',
  bundle,
  '--sourcemap',
  `${bundle}.map`,
  '--release',
  release,
  '--dist',
  '3',
]

/** Files of a release one by one, and the older names of what is done with bundles now. */
const LEGACY: readonly Row[] = [
  {
    needs: 'org:ci',
    only: '2.58.6',
    cli: ({ files, release }) => ['releases', 'files', release, 'upload', files.bundle, '~/legacy/app.js'],
  },
  {
    needs: 'org:ci',
    only: '2.58.6',
    cli: ({ files }) => ['releases', 'files', 'shop@1.0.0', 'upload', files.build, '--url-prefix', '~/static'],
  },
  {
    needs: 'org:ci',
    only: '2.58.6',
    cli: ({ files, release }) => ['releases', 'files', release, 'upload-sourcemaps', '--dist', '4', files.build],
  },
  {
    needs: 'org:ci',
    only: '2.58.6',
    cli: ({ release }) => ['releases', 'files', release, 'list'],
    shows: '~/legacy/app.js',
  },
  {
    needs: 'reading',
    only: '2.58.6',
    cli: ({ issue }) => ['sourcemaps', 'explain', issue.eventId],
  },
  {
    needs: 'releasing',
    only: '2.58.6',
    cli: ({ release }) => ['releases', 'files', release, 'delete', '~/legacy/app.js'],
    shows: '~/legacy/app.js',
  },
  {
    needs: 'releasing',
    only: '2.58.6',
    cli: ({ release }) => ['releases', 'files', release, 'delete', '--all'],
  },
]

export const ROWS: readonly Row[] = [
  { needs: 'org:ci', cli: () => ['info'], sentry: () => ['info'] },
  { needs: 'reading', cli: ({ token }) => ['login', '--auth-token', token] },
  { needs: 'reading', sentry: () => ['auth', 'status'] },
  {
    needs: 'reading',
    cli: () => ['organizations', 'list'],
    sentry: () => ['org', 'list'],
    shows: 'artifacts-commands',
  },
  { needs: 'reading', sentry: ({ organization }) => ['org', 'view', organization] },
  {
    needs: 'reading',
    cli: () => ['projects', 'list'],
    sentry: ({ organization }) => ['project', 'list', `${organization}/`],
    shows: 'shop',
  },
  { needs: 'reading', sentry: ({ organization }) => ['project', 'view', `${organization}/shop`], shows: 'shop' },
  { needs: 'reading', sentry: ({ organization }) => ['team', 'list', `${organization}/`] },
  {
    needs: 'reading',
    cli: () => ['repos', 'list'],
    sentry: ({ organization }) => ['repo', 'list', `${organization}/`],
    shows: 'acme/web',
  },
  { needs: 'reading', sentry: ({ organization }) => ['integration', 'list', `${organization}/`] },

  {
    needs: 'reading',
    cli: () => ['issues', 'list'],
    sentry: ({ organization }) => ['issue', 'list', `${organization}/shop`],
    shows: 'TeaError',
  },
  { needs: 'reading', sentry: ({ issue }) => ['issue', 'view', issue.shortId], shows: 'TeaError' },
  { needs: 'reading', sentry: ({ issue }) => ['issue', 'events', issue.shortId] },
  { needs: 'reading', sentry: ({ issue }) => ['issue', 'tags', issue.shortId, 'environment'], shows: 'production' },
  {
    needs: 'writing',
    cli: ({ issue }) => ['issues', 'resolve', '-i', issue.id],
    sentry: ({ issue }) => ['issue', 'resolve', issue.shortId],
  },
  {
    needs: 'writing',
    cli: ({ issue }) => ['issues', 'mute', '-i', issue.id],
    sentry: ({ issue }) => ['issue', 'archive', issue.shortId],
  },
  {
    needs: 'writing',
    cli: ({ issue }) => ['issues', 'unresolve', '-i', issue.id],
    sentry: ({ issue }) => ['issue', 'unresolve', issue.shortId],
  },
  { needs: 'reading', sentry: ({ issue }) => ['issue', 'explain', issue.shortId] },
  { needs: 'reading', cli: () => ['events', 'list'], sentry: ({ issue }) => ['event', 'list', issue.shortId] },
  {
    needs: 'reading',
    sentry: ({ issue, organization }) => ['event', 'view', `${organization}/shop/${issue.eventId}`],
    shows: 'TeaError',
  },
  { needs: 'reading', sentry: ({ organization }) => ['event', 'analytics', `${organization}/shop`] },
  {
    needs: 'reading',
    cli: () => ['logs', 'list'],
    sentry: ({ organization }) => ['log', 'list', `${organization}/shop`],
    shows: 'tea poured',
  },
  { needs: 'reading', sentry: ({ organization }) => ['feedback', 'list', `${organization}/shop`] },
  { needs: 'reading', sentry: ({ organization }) => ['span', 'list', `${organization}/shop`] },
  { needs: 'reading', sentry: ({ organization }) => ['trace', 'list', `${organization}/shop`] },
  { needs: 'reading', sentry: ({ organization, trace }) => ['trace', 'view', `${organization}/shop/${trace}`] },
  {
    needs: 'reading',
    sentry: ({ organization, trace }) => ['trace', 'logs', `${organization}/shop/${trace}`],
    shows: 'tea poured',
  },
  { needs: 'reading', sentry: ({ organization }) => ['explore', `${organization}/shop`] },
  { needs: 'reading', sentry: ({ organization }) => ['attribute', 'list', `${organization}/shop`] },
  { needs: 'reading', sentry: ({ organization }) => ['replay', 'list', `${organization}/shop`] },
  { needs: 'reading', sentry: ({ organization }) => ['dashboard', 'list', `${organization}/`] },
  { needs: 'reading', sentry: ({ organization }) => ['agent-conversation', 'list', `${organization}/shop`] },

  {
    needs: 'DSN',
    cli: () => ['monitors', 'run', '--schedule', '0 * * * *', 'tea-time', '--', 'true'],
    sentry: () => ['monitor', 'run', 'tea-time', '--schedule', '0 * * * *', '--', 'true'],
  },
  {
    needs: 'DSN',
    cli: () => ['monitors', 'run', 'tea-time', '--', 'sh', '-c', 'exit 3'],
    sentry: () => ['monitor', 'run', 'tea-time', '--', 'sh', '-c', 'exit 3'],
    ends: 3,
  },
  {
    needs: 'reading',
    cli: () => ['monitors', 'list'],
    sentry: ({ organization }) => ['monitor', 'list', `${organization}/`],
    shows: 'tea-time',
  },
  {
    needs: 'DSN',
    cli: () => ['send-event', '-m', 'Hello %s', '-a', 'tea', '-t', 'a:b', '-u', 'id:7', '-l', 'warning'],
    sentry: () => ['event', 'send', '-m', 'Hello tea', '--tag', 'a:b'],
  },
  {
    needs: 'DSN',
    cli: ({ files }) => ['send-event', files.event],
    sentry: ({ files }) => ['event', 'send', files.event],
  },
  { needs: 'DSN', cli: ({ files }) => ['send-event', '--raw', files.event] },
  {
    needs: 'DSN',
    cli: ({ files }) => ['send-envelope', files.envelope],
    sentry: ({ files }) => ['event', 'send', '--raw', files.envelope],
  },
  { needs: 'DSN', cli: ({ files }) => ['send-envelope', '--raw', files.envelope] },

  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'new', release, '--url', 'https://shop.example/'],
    sentry: ({ organization, release }) => ['release', 'create', `${organization}/${release}`],
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'set-commits', release, '--auto', '--ignore-missing'],
    sentry: ({ organization, release }) => ['release', 'set-commits', `${organization}/${release}`, '--auto'],
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'set-commits', release, '--local'],
    sentry: ({ organization, release }) => ['release', 'set-commits', `${organization}/${release}`, '--local'],
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'set-commits', release, '--commit', 'acme/web@HEAD'],
    sentry: ({ organization, release }) => [
      'release',
      'set-commits',
      `${organization}/${release}`,
      '--commit',
      `acme/web@${'1'.repeat(40)}`,
    ],
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'finalize', release],
    sentry: ({ organization, release }) => ['release', 'finalize', `${organization}/${release}`],
  },
  { needs: 'no server', cli: () => ['releases', 'propose-version'], sentry: () => ['release', 'propose-version'] },
  {
    needs: 'org:ci',
    cli: () => ['releases', 'list'],
    shows: '1.0.0',
  },
  // It asks for the project first.
  { needs: 'reading', sentry: ({ organization }) => ['release', 'list', `${organization}/shop`], shows: '1.0.0' },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'info', release, '--show-commits', '--show-projects'],
    sentry: ({ organization, release }) => ['release', 'view', `${organization}/${release}`],
    shows: '1.0.0',
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'archive', release],
    sentry: ({ organization, release }) => ['release', 'archive', `${organization}/${release}`],
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['releases', 'restore', release],
    sentry: ({ organization, release }) => ['release', 'restore', `${organization}/${release}`],
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['deploys', 'new', '--release', release, '--env', 'production', '--name', 'first'],
    sentry: ({ organization, release }) => ['release', 'deploy', `${organization}/${release}`, 'production', 'first'],
  },
  {
    needs: 'org:ci',
    cli: ({ release }) => ['deploys', 'list', '--release', release],
    sentry: ({ organization, release }) => ['release', 'deploys', `${organization}/${release}`],
    shows: 'production',
  },

  // Programs since 3 have none of these.
  ...LEGACY,
  {
    needs: 'no server',
    cli: ({ files }) => ['sourcemaps', 'inject', files.build],
    sentry: ({ files }) => ['sourcemap', 'inject', files.build],
  },
  {
    needs: 'org:ci',
    cli: ({ files }) => ['sourcemaps', 'upload', '--wait', files.build],
    sentry: ({ files }) => ['sourcemap', 'upload', files.build],
  },
  {
    needs: 'org:ci',
    cli: ({ files, release }) => ['sourcemaps', 'upload', '--release', release, '--dist', '5', files.build],
    sentry: ({ files, release }) => ['sourcemap', 'upload', '--release', release, '--dist', '5', files.build],
  },
  {
    needs: 'no server',
    cli: ({ files }) => ['sourcemaps', 'resolve', files.sourceMap, '-l', '1', '-c', '1'],
    sentry: ({ files }) => ['sourcemap', 'resolve', files.build],
  },
  {
    needs: 'org:ci',
    cli: gradle,
    sentry: gradle,
  },
  {
    needs: 'org:ci',
    only: '3.8.0',
    cli: ({ files }) => ['code-mappings', 'upload', files.mappings],
    sentry: ({ files }) => ['code-mappings', 'upload', files.mappings],
  },
  {
    needs: 'no server',
    only: '3.8.0',
    cli: ({ files }) => ['proguard', 'uuid', files.proguard],
    sentry: ({ files }) => ['proguard', 'uuid', files.proguard],
  },
  {
    needs: 'no server',
    cli: ({ files }) => [
      'debug-files',
      'bundle-jvm',
      '--output',
      `${files.java}-bundle`,
      '--debug-id',
      '12345678-1234-1234-1234-123456789abc',
      files.java,
    ],
  },
  {
    needs: 'org:ci',
    only: '3.8.0',
    cli: () => ['build', 'download', '--build-id', '1'],
    sentry: () => ['build', 'download', '1'],
  },
  {
    needs: 'org:ci',
    only: '3.8.0',
    cli: ({ files }) => ['snapshots', 'upload', '--app-id', 'tea', files.pictures],
    sentry: ({ files }) => ['snapshots', 'upload', '--app-id', 'tea', files.pictures],
  },
  {
    needs: 'org:ci',
    only: '3.8.0',
    cli: () => ['snapshots', 'download', '--app-id', 'tea'],
    sentry: () => ['snapshots', 'download', '--app-id', 'tea'],
  },
  { needs: 'reading', sentry: ({ organization }) => ['trial', 'list', organization] },
]
