/**
 * The tenants to whom jobs belong, where several customers share an application.
 */
@NullMarked
package io.ojs.tenant;

import org.jspecify.annotations.NullMarked;
