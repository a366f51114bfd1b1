import type { Frame } from '../../../event/event.ts'
import { memoise } from './memoise.ts'
import { familyOf } from './platform.ts'

/**
 * What Firsthand knows about frames that are nobody's own code (protocol.md 5.2 and 5.6). Written as code rather than as
 * rules, because it runs for every frame of every event.
 */
export type BuiltIn =
  | { readonly kind: 'library'; readonly hint: string }
  /** Not in-app, and not even part of the system hash: wrappers that come and go with versions. */
  | { readonly kind: 'noise'; readonly hint: string }

const LIBRARY: BuiltIn = { kind: 'library', hint: 'library code' }
const STANDARD: BuiltIn = { kind: 'library', hint: 'standard library or framework' }
const SDK: BuiltIn = { kind: 'noise', hint: 'part of the error-reporting SDK' }
const WRAPPER: BuiltIn = { kind: 'noise', hint: 'run-time wrapper' }

const SDK_PATH =
  /[\\/]@?sentry(?:-internal)?[\\/](?:browser|core|node|node-core|react|vue|nextjs|svelte|sveltekit|angular|utils|hub|opentelemetry|tracing|replay|remix|nuxt|astro|solid|bun|deno|cloudflare|electron|react-native)|[\\/]@firsthand[\\/]|[\\/]sentry_sdk[\\/]|[\\/]sentry-(?:ruby|rails|raven)|browser\.sentry-cdn\.com|js\.sentry-cdn\.com|[\\/]vendor[\\/]sentry[\\/]|getsentry[\\/]sentry-go/i
const WRAPPER_PATH =
  /^node:|^internal[\\/]|[\\/]@babel[\\/]|[\\/]core-js(?:-pure)?[\\/]|[\\/]regenerator-runtime[\\/]|[\\/]tslib[\\/]|[\\/]zone\.js[\\/]|newrelic|[\\/]LogRocket|cdn\.(?:lr-in|logrocket)|[\\/]webpack[\\/]bootstrap/i
const LIBRARY_PATH =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor|bower_components|jspm_packages|\.pnpm|\.yarn)[\\/]|[\\/]gems[\\/]|[\\/]go[\\/]pkg[\\/]mod[\\/]|[\\/]usr[\\/]local[\\/]go[\\/]src[\\/]|[\\/]lib[\\/]python\d|[\\/]lib[\\/]ruby[\\/]|^\/rustc\/|[\\/]\.cargo[\\/]|^https?:\/\/(?:unpkg\.com|cdnjs\.cloudflare\.com|cdn\.jsdelivr\.net|ajax\.googleapis\.com|code\.jquery\.com|esm\.sh)\/|^(?:chrome|moz|safari(?:-web)?|ms-browser)-extension:\/\/|^<(?:frozen|string|__array_function__)|^webpack:\/\/\/?(?:\([^)]*\)\/)?~\//i
const NATIVE_PACKAGE =
  /^\/(?:usr\/)?lib(?:32|64)?\/|^\/system\/|^\/apex\/|^\/vendor\/|^\/System\/Library\/|^\/Library\/Developer\/|^linux-(?:gate|vdso)|^\/usr\/lib\/system\/|^[A-Z]:\\Windows\\|(?:^|\/)lib(?:c|pthread|stdc\+\+|system_[a-z]+|dispatch|dyld|art|objc)(?:[.-]|$)|\.framework\/(?:Versions\/[^/]+\/)?(?:UIKit|Foundation|CoreFoundation|AppKit|SwiftUI)/i

const WRAPPER_FUNCTIONS = new Set([
  'runMicrotasks',
  'processTicksAndRejections',
  'process._tickCallback',
  'process.processTicksAndRejections',
  '_tickCallback',
  'asyncGeneratorStep',
  'regeneratorRuntime',
  '__awaiter',
  '__generator',
  'tryCatch',
  'invokeGuardedCallback',
])
const SDK_FUNCTIONS = new Set([
  'sentryWrapped',
  'wrapped/sentryWrapped',
  'captureException',
  'captureMessage',
  'firsthandWrapped',
])

const JAVA =
  /^(?:java|javax|jdk|sun|com\.sun|jakarta|kotlin|kotlinx|scala|android|androidx|dalvik|com\.android|com\.google\.android|org\.springframework|org\.apache|org\.hibernate|org\.jboss|org\.eclipse|org\.junit|io\.netty|io\.micronaut|io\.quarkus|reactor|okhttp3|okio|retrofit2|com\.fasterxml|com\.zaxxer|ch\.qos|org\.slf4j)\./
const DOTNET = /^(?:System|Microsoft|Mono|Newtonsoft|NHibernate|Npgsql|Serilog)(?:\.|$)/
const SDK_MODULE =
  /^(?:io\.sentry\.|sentry_sdk(?:\.|$)|Sentry(?:\.|\\|$)|Raven\.|raven\.|github\.com\/getsentry\/sentry-go|sentry::|sentry_core::)/
const PYTHON =
  /^(?:asyncio|concurrent|threading|importlib|runpy|unittest|urllib|http|json|logging|contextlib|functools|multiprocessing|socketserver|wsgiref)(?:\.|$)/
const GO = /^(?:runtime|net\/http|net|reflect|sync|testing|database\/sql|encoding\/\w+|os|io|fmt)$/
const RUST = /^(?:std|core|alloc|test|tokio|futures_\w+|hyper|backtrace)::/
const NATIVE_FUNCTION =
  /^(?:std::|__libc_start|_start$|start_thread$|__pthread|_pthread|clone3?$|abort$|raise$|rust_begin_unwind|core::|__rust_)/

/** Undefined when nothing is known: then the SDK's opinion stands. */
export const builtInRule = (frame: Frame, platform: string): BuiltIn | undefined => {
  const path = frame.abs_path ?? frame.filename
  return (
    (path === undefined ? undefined : byPath(path)) ??
    (frame.module === undefined ? undefined : byModule(frame.module)(platform)) ??
    byFunction(frame.function, path, platform) ??
    (frame.package === undefined || familyOf(platform) !== 'native' ? undefined : byPackage(frame.package))
  )
}

/** `null` is remembered as "nothing known". */
const remembered = (judge: (text: string) => BuiltIn | null): ((text: string) => BuiltIn | undefined) => {
  const memory = memoise(judge)
  return (text) => memory(text) ?? undefined
}

const byPath = remembered((path) => {
  if (SDK_PATH.test(path)) return SDK
  if (WRAPPER_PATH.test(path)) return WRAPPER
  return LIBRARY_PATH.test(path) ? LIBRARY : null
})

const byPackage = remembered((path) => (NATIVE_PACKAGE.test(path) ? STANDARD : null))

const STANDARD_MODULES: ReadonlyMap<string, RegExp> = new Map([
  ['java', JAVA],
  ['csharp', DOTNET],
  ['python', PYTHON],
  ['go', GO],
])

const byModule = memoise((module) => {
  const sdk = SDK_MODULE.test(module)
  const standardFor = [...STANDARD_MODULES].filter(([, modules]) => modules.test(module)).map(([platform]) => platform)
  return (platform: string): BuiltIn | undefined =>
    sdk ? SDK : standardFor.length > 0 && standardFor.includes(platform) ? STANDARD : undefined
})

const byFunction = (name: string | undefined, path: string | undefined, platform: string): BuiltIn | undefined => {
  switch (familyOf(platform)) {
    case 'javascript':
      if (name !== undefined && WRAPPER_FUNCTIONS.has(name)) return WRAPPER
      if (name !== undefined && SDK_FUNCTIONS.has(name)) return SDK
      return path === '<anonymous>' || path === '[native code]' || path === 'native' ? STANDARD : undefined
    case 'native':
      return name !== undefined && nativeStandard(name) ? STANDARD : undefined
    case 'other':
      return undefined
  }
}

const nativeStandard = memoise((name) => RUST.test(name) || NATIVE_FUNCTION.test(name))
