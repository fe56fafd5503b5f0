// Options of encryption at rest.

export interface EncryptionOptions {
  /** The file that says which resources are stored encrypted; undefined for none. */
  readonly encryptionProviderConfig: string | undefined;
  /** Whether that file is read again when it changes. */
  readonly encryptionProviderConfigAutomaticReload: boolean;
}

export const defaultEncryptionOptions: EncryptionOptions = {
  encryptionProviderConfig: undefined,
  encryptionProviderConfigAutomaticReload: false,
};

export function encryptionOptionProblems(options: EncryptionOptions): string[] {
  if (!options.encryptionProviderConfigAutomaticReload || options.encryptionProviderConfig !== undefined) return [];
  return ['--encryption-provider-config-automatic-reload must be set with --encryption-provider-config'];
}
