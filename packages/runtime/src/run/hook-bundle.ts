/** What a bundle of hook modules exports: functions by `module#function`. */
export interface HookBundle {
  readonly hooks: Readonly<Record<string, unknown>>;
}
