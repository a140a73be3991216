/**
 * Endpoints of operations on many jobs. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.bulk;

import org.jspecify.annotations.NullMarked;
