// Phase 3: the resolved program → the checked program. Every static rule of the language is checked here:
// types of expressions, shapes of responses, paths, routes, requests, actions, populators. Parts come out as
// they stand in the definition; only tables and the order of things are left to phase 4.

import type { Api, Auth, Generator, Place, Populator, Runtime, Validator } from "@stoa/definition";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import type { Program } from "../resolve/program.js";
import { checkApis } from "./api.js";
import { authModel, checkAuth } from "./auth.js";
import type { Check, CheckedModel } from "./context.js";
import { checkDatabaseNames } from "./database-names.js";
import { checkGenerators, checkRuntimes, checkValidators } from "./declarations.js";
import { derive } from "./derived.js";
import { checkModel } from "./model.js";
import { checkPopulators } from "./populator.js";

export interface CheckedProgram {
  readonly program: Program;
  readonly models: readonly CheckedModel[];
  readonly derived: Check["derived"];
  readonly validators: readonly Validator[];
  readonly auth: Auth | null;
  readonly apis: readonly Api[];
  readonly populators: readonly Populator[];
  readonly runtimes: readonly Runtime[];
  readonly generators: readonly Generator[];
}

export interface CheckInput {
  readonly program: Program;
  /** Undefined when no definition is to be made. */
  readonly placeOf: ((span: Span) => Place) | undefined;
  readonly textOf: (span: Span) => string;
}

export interface CheckResult {
  readonly checked: CheckedProgram;
  readonly diagnostics: readonly Diagnostic[];
}

const NOWHERE: Place = [0, 1, 1, 1, 1];

export function check({ program, placeOf, textOf }: CheckInput): CheckResult {
  const diagnostics: Diagnostic[] = [];
  const context: Check = {
    program,
    auth: authModel(program.auths, program.models),
    report: (diagnostic) => void diagnostics.push(diagnostic),
    placeOf: placeOf ?? (() => NOWHERE),
    isForDefinition: placeOf !== undefined,
    textOf,
    derive,
    derived: new Map(),
    inProgress: [],
    models: new Map(),
    directFields: new Map(),
  };
  for (const model of program.models.values()) context.models.set(model.name, checkModel(context, model));
  checkDatabaseNames(context);
  const validators = checkValidators(context);
  const runtimes = checkRuntimes(context);
  const auth = checkAuth(context);
  const checked: CheckedProgram = {
    program,
    models: [...context.models.values()],
    derived: context.derived,
    validators,
    auth,
    apis: checkApis(context, auth?.password != null),
    populators: checkPopulators(context),
    runtimes,
    generators: checkGenerators(context),
  };
  return { checked, diagnostics };
}
