/**
 * Attempts of stored jobs: workers claim jobs, hold leases on them and record their
 * outcomes. Not part of the API.
 */
@NullMarked
package io.ojs.store.internal.attempt;

import org.jspecify.annotations.NullMarked;
