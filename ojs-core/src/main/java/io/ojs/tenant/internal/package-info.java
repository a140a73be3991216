/**
 * The tenant that each thread works for. Not part of the API.
 */
@NullMarked
package io.ojs.tenant.internal;

import org.jspecify.annotations.NullMarked;
