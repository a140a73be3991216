/**
 * Endpoints of tenants. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.tenant;

import org.jspecify.annotations.NullMarked;
